/* Names and versions come from the configuration, not from the host.
 * Does not differ natively: one machine has one name. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void)
{
	struct utsname names;
	char host[65], domain[65];

	uname(&names);
	printf("%s %s %s %s %s\n", names.sysname, names.nodename, names.release, names.version,
		names.machine);
	gethostname(host, sizeof(host));
	getdomainname(domain, sizeof(domain));
	printf("host %s, domain %s\n", host, domain);
	printf("sethostname: %s\n", sethostname("x", 1) ? strerrorname_np(errno) : "taken");
	printf("personality %x\n", personality(0xffffffff));
	personality(PER_LINUX32);
	uname(&names);
	printf("as 32 bits: personality %x, %s\n", personality(0xffffffff), names.machine);
	printf("page %ld bytes, clock ticks %ld, longest arguments %ld\n", sysconf(_SC_PAGESIZE),
		sysconf(_SC_CLK_TCK), sysconf(_SC_ARG_MAX));
	printf("bad address: %s\n", uname((struct utsname *)8) ? strerrorname_np(errno) : "?");
	return 0;
}
