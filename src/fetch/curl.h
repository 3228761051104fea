/*
 * libcurl, loaded when it is needed: it and all that it brings along would cost each start of stet
 * ten milliseconds.
 */
#ifndef STET_FETCH_CURL_H
#define STET_FETCH_CURL_H

#include <curl/curl.h>

#include "base/error.h"

struct curl {
	void *library;
	__typeof__(curl_easy_init) *init;
	__typeof__(curl_easy_cleanup) *cleanup;
	/* By the names in parentheses: macros that check types would take them for themselves. */
	__typeof__((curl_easy_setopt)) *set;
	__typeof__((curl_easy_getinfo)) *get;
	__typeof__(curl_easy_perform) *perform;
	__typeof__(curl_easy_strerror) *strerror;
};

int curl_load(struct curl *curl, struct error *err);

#endif
