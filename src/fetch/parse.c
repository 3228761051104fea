#include "fetch/fetch.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MARK	   "#sha256="
#define HEX_DIGITS (HASH_TEXT - 1)

static bool has_scheme(const char *url, const char *scheme)
{
	size_t length = strlen(scheme);

	return strncasecmp(url, scheme, length) == 0 && url[length] == ':';
}

static int check_file_url(const char *url, struct error *err)
{
	if (strncmp(url + strlen("file:"), "///", 3) != 0)
		return error_set(err, 0,
			"--fetch %s: a file has an absolute path and no host: file:///PATH", url);
	return 0;
}

static int check_web_url(const char *url, const char *shown, struct error *err)
{
	const char *host = strchr(url, ':') + 1;

	if (strncmp(host, "//", 2) != 0 || !host[2] || strchr("/?#", host[2]))
		return error_set(err, 0, "--fetch %s: names no host", shown);
	for (; *host; host++)
		if (*host == ' ' || iscntrl((unsigned char)*host))
			return error_set(err, 0,
				"--fetch %s: has a blank or control character; write it as %%20 "
				"and the like",
				shown);
	return 0;
}

static int check_url(const struct fetch *fetch, struct error *err)
{
	const char *url = fetch->url;

	if (has_scheme(url, "file"))
		return check_file_url(url, err);
	if (has_scheme(url, "http") || has_scheme(url, "https"))
		return check_web_url(url, fetch->shown, err);
	return error_set(err, 0,
		"--fetch %s: must begin with http:, https: or file:", *url ? fetch->shown : MARK);
}

/* The name and password of http://NAME:PASSWORD@HOST/ are nobody's business. */
static char *without_password(const char *url)
{
	const char *host = strstr(url, "://"), *end, *at;
	char *shown;

	if (!host)
		return strdup(url);
	host += 3;
	end = host + strcspn(host, "/?#");
	at = memrchr(host, '@', (size_t)(end - host));
	if (!at)
		return strdup(url);
	return asprintf(&shown, "%.*s%s", (int)(host - url), url, at + 1) < 0 ? NULL : shown;
}

static int take_digest(const char *text, struct fetch *fetch, struct error *err)
{
	size_t length = strspn(text, "0123456789abcdefABCDEF");

	if (length != HEX_DIGITS || (text[length] && text[length] != ':'))
		return error_set(err, 0,
			"--fetch %s: the checksum must have %d hexadecimal digits, and :INSIDE "
			"behind it",
			fetch->shown, HEX_DIGITS);
	for (size_t i = 0; i < length; i++)
		fetch->digest[i] = (char)tolower((unsigned char)text[i]);
	fetch->digest[length] = '\0';
	return 0;
}

/* Is one of the components of `path` a dot or two? */
static bool has_dots(const char *path)
{
	for (const char *name = path; *name; name += strcspn(name, "/")) {
		size_t length;

		name += strspn(name, "/");
		length = strcspn(name, "/");
		if ((length == 1 || length == 2) && strspn(name, ".") == length)
			return true;
	}
	return false;
}

/* The container makes these itself. */
static bool is_made_afresh(const char *path)
{
	static const char *const own[] = { "/proc", "/sys", "/dev" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		size_t length = strlen(own[i]);

		if (strncmp(path, own[i], length) == 0 &&
			(path[length] == '/' || path[length] == '\0'))
			return true;
	}
	return false;
}

static int check_inside(const char *path, struct error *err)
{
	if (path[0] != '/' || path[strlen(path) - 1] == '/' || has_dots(path))
		return error_set(err, 0,
			"--fetch: the place inside, '%s', must be the absolute path of a file, "
			"without . and ..",
			path);
	if (is_made_afresh(path))
		return error_set(
			err, 0, "--fetch: %s: no file can be put into /proc, /sys or /dev", path);
	return 0;
}

int fetch_parse(const char *text, struct fetch *fetch, struct error *err)
{
	const char *mark = strstr(text, MARK), *inside;

	*fetch = (struct fetch){ 0 };
	if (!mark)
		return error_set(
			err, 0, "--fetch %s: must be URL" MARK "HEX:INSIDE, with a checksum", text);
	fetch->url = strndup(text, (size_t)(mark - text));
	fetch->shown = fetch->url ? without_password(fetch->url) : NULL;
	if (!fetch->shown)
		return error_set(err, ENOMEM, "--fetch");
	if (check_url(fetch, err) || take_digest(mark + strlen(MARK), fetch, err))
		return -1;
	inside = mark + strlen(MARK) + HEX_DIGITS;
	if (!*inside)
		return error_set(err, 0,
			"--fetch %s: does not say where to show it: " MARK "HEX:INSIDE",
			fetch->shown);
	fetch->inside = strdup(inside + 1);
	if (!fetch->inside)
		return error_set(err, ENOMEM, "--fetch");
	return check_inside(fetch->inside, err);
}

void fetch_release(struct fetch *fetch)
{
	free(fetch->url);
	free(fetch->shown);
	free(fetch->inside);
}
