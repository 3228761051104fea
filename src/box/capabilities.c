#include "box/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The set that container engines give by default. */
static const uint8_t allowed[] = {
	CAP_CHOWN,
	CAP_DAC_OVERRIDE,
	CAP_FSETID,
	CAP_FOWNER,
	CAP_MKNOD,
	CAP_NET_RAW,
	CAP_SETGID,
	CAP_SETUID,
	CAP_SETFCAP,
	CAP_SETPCAP,
	CAP_NET_BIND_SERVICE,
	CAP_SYS_CHROOT,
	CAP_KILL,
	CAP_AUDIT_WRITE,
};

static uint64_t allowed_mask(void)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < sizeof(allowed); i++)
		mask |= UINT64_C(1) << allowed[i];
	return mask;
}

int capabilities_limit(struct error *err)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t mask = allowed_mask();

	/* Up to the last one that the kernel knows. */
	for (unsigned i = 0; i < 64 && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
		if (!(mask >> i & 1) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0))
			return error_set(err, errno, "cannot drop capabilities");
	for (int i = 0; i < 2; i++) {
		data[i].effective = data[i].permitted = (uint32_t)(mask >> (32 * i));
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &header, data))
		return error_set(err, errno, "cannot drop capabilities");
	return 0;
}
