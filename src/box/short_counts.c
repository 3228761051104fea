#include "box/short_counts.h"

#include <stddef.h>
#include <sys/vfs.h>

bool short_counts_at(const char *path)
{
	/* FUSE, NFS, CIFS, SMB2, 9p, Ceph, AFS, Coda, Lustre, GFS2, OCFS2 */
	static const unsigned magic[] = { 0x65735546, 0x6969, 0xff534d42, 0xfe534d42, 0x01021997,
		0x00c36400, 0x5346414f, 0x73757245, 0x0bd00bd0, 0x01161970, 0x7461636f };
	struct statfs status;

	if (statfs(path, &status))
		return false;
	for (size_t i = 0; i < sizeof(magic) / sizeof(magic[0]); i++)
		if ((unsigned)status.f_type == magic[i])
			return true;
	return false;
}
