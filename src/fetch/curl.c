#include "fetch/curl.h"

#include <dlfcn.h>
#include <stddef.h>

#define LIBRARY "libcurl.so.4"

static const struct {
	const char *name;
	size_t place; /* in struct curl */
} functions[] = {
	{ "curl_easy_init", offsetof(struct curl, init) },
	{ "curl_easy_cleanup", offsetof(struct curl, cleanup) },
	{ "curl_easy_setopt", offsetof(struct curl, set) },
	{ "curl_easy_getinfo", offsetof(struct curl, get) },
	{ "curl_easy_perform", offsetof(struct curl, perform) },
	{ "curl_easy_strerror", offsetof(struct curl, strerror) },
};

/* It stays loaded: what it leaves for the end of the program must be there then. */
int curl_load(struct curl *curl, struct error *err)
{
	curl->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!curl->library)
		return error_set(err, 0,
			"--fetch needs " LIBRARY " for http and https; install the package "
			"libcurl4 (%s)",
			dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(curl->library, functions[i].name);

		if (!function)
			return error_set(err, 0, "--fetch: " LIBRARY " has no %s; it is too old",
				functions[i].name);
		*(void **)((char *)curl + functions[i].place) = function;
	}
	return 0;
}
