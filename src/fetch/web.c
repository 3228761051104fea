#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fetch/curl.h"
#include "fetch/interrupt.h"
#include "fetch/transfer.h"

#define REDIRECTS_MAX	  10l
#define CONNECT_TIMEOUT_S 30l
#define STALL_TIMEOUT_S	  60l

/* One request. */
struct request {
	struct transfer *transfer;
	struct curl curl;
	CURL *handle;
	curl_off_t announced; /* size that the server told; 0: none yet */
	struct error *err;
	bool failed; /* err is filled: curl only knows that it was told to stop */
	char details[CURL_ERROR_SIZE];
};

static size_t take(char *data, size_t size, size_t count, void *context)
{
	struct request *request = context;
	size_t bytes = size * count;

	if (transfer_take(request->transfer, data, bytes, (uint64_t)request->announced,
		    request->err) == 0)
		return bytes;
	request->failed = true;
	return 0;
}

/* Called at least once a second, whether something comes or not. */
static int look_up(
	void *context, curl_off_t all, curl_off_t done, curl_off_t up, curl_off_t up_done)
{
	struct request *request = context;

	(void)done, (void)up, (void)up_done;
	request->announced = all > 0 ? all : 0;
	if (interrupt_check(request->err) == 0)
		return 0;
	request->failed = true;
	return 1;
}

/* Certificates are checked in any case; these say by whose word, as curl(1) has it. */
static const char *certificates(void)
{
	const char *file = getenv("CURL_CA_BUNDLE");

	return file && *file ? file : getenv("SSL_CERT_FILE");
}

/* Where a redirection may lead. The checksum decides in the end; but who asks for https does not
 * want to be overheard. */
static const char *next_protocols(const char *url)
{
	return strncasecmp(url, "https:", 6) == 0 ? "https" : "http,https";
}

static int set_text(struct request *request, CURLoption option, const char *value)
{
	return request->curl.set(request->handle, option, value) != CURLE_OK;
}

static int set_number(struct request *request, CURLoption option, long value)
{
	return request->curl.set(request->handle, option, value) != CURLE_OK;
}

static int set_numbers(struct request *request)
{
	static const struct {
		CURLoption option;
		long value;
	} numbers[] = {
		{ CURLOPT_NOSIGNAL, 1 },
		{ CURLOPT_FAILONERROR, 1 },
		{ CURLOPT_FOLLOWLOCATION, 1 },
		{ CURLOPT_MAXREDIRS, REDIRECTS_MAX },
		{ CURLOPT_SSL_VERIFYPEER, 1 },
		{ CURLOPT_SSL_VERIFYHOST, 2 },
		{ CURLOPT_NETRC, CURL_NETRC_IGNORED },
		{ CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S },
		{ CURLOPT_LOW_SPEED_LIMIT, 1 },
		{ CURLOPT_LOW_SPEED_TIME, STALL_TIMEOUT_S },
		{ CURLOPT_NOPROGRESS, 0 },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (set_number(request, numbers[i].option, numbers[i].value))
			return -1;
	return 0;
}

/* A server that tells too large a size need not send a byte of it. */
static curl_off_t limit(const struct request *request)
{
	uint64_t bytes = request->transfer->options->limit;

	return bytes > INT64_MAX ? INT64_MAX : (curl_off_t)bytes;
}

static int set_up(struct request *request)
{
	const char *url = request->transfer->fetch->url, *trusted = certificates();
	CURL *handle = request->handle;

	if (set_numbers(request) || set_text(request, CURLOPT_URL, url) ||
		set_text(request, CURLOPT_USERAGENT, "stet/" STET_VERSION) ||
		set_text(request, CURLOPT_PROTOCOLS_STR, "http,https") ||
		set_text(request, CURLOPT_REDIR_PROTOCOLS_STR, next_protocols(url)) ||
		(trusted && *trusted && set_text(request, CURLOPT_CAINFO, trusted)) ||
		request->curl.set(handle, CURLOPT_MAXFILESIZE_LARGE, limit(request)) ||
		request->curl.set(handle, CURLOPT_ERRORBUFFER, request->details) ||
		request->curl.set(handle, CURLOPT_WRITEFUNCTION, take) ||
		request->curl.set(handle, CURLOPT_WRITEDATA, request) ||
		request->curl.set(handle, CURLOPT_XFERINFOFUNCTION, look_up) ||
		request->curl.set(handle, CURLOPT_XFERINFODATA, request))
		return error_set(request->err, 0,
			"--fetch: this libcurl is older than 7.85; install a newer libcurl4");
	/* A signal must not have to wait for a name server; where this is not known, it has to. */
	request->curl.set(handle, CURLOPT_QUICK_EXIT, 1l);
	return 0;
}

static int explain(const struct request *request, CURLcode code)
{
	const char *shown = request->transfer->fetch->shown;
	long status = 0;

	request->curl.get(request->handle, CURLINFO_RESPONSE_CODE, &status);
	if (code == CURLE_HTTP_RETURNED_ERROR)
		return error_set(request->err, 0, "--fetch %s: the server answers with status %ld",
			shown, status);
	if (code == CURLE_FILESIZE_EXCEEDED)
		return transfer_too_large(request->transfer, request->err);
	if (code == CURLE_TOO_MANY_REDIRECTS)
		return error_set(request->err, 0, "--fetch %s: is redirected more than %ld times",
			shown, REDIRECTS_MAX);
	if (code == CURLE_UNSUPPORTED_PROTOCOL)
		return error_set(request->err, 0,
			"--fetch %s: is redirected to another protocol than %s", shown,
			next_protocols(request->transfer->fetch->url));
	if (code == CURLE_OPERATION_TIMEDOUT)
		return error_set(request->err, 0,
			"--fetch %s: no connection for %ld s, or not a byte for %ld s", shown,
			CONNECT_TIMEOUT_S, STALL_TIMEOUT_S);
	return error_set(request->err, 0, "--fetch %s: %s", shown,
		request->details[0] ? request->details : request->curl.strerror(code));
}

static int perform(struct request *request)
{
	CURLcode code;

	if (set_up(request))
		return -1;
	code = request->curl.perform(request->handle);
	if (request->failed)
		return -1;
	return code == CURLE_OK ? 0 : explain(request, code);
}

int transfer_web(struct transfer *transfer, struct error *err)
{
	struct request request = { .transfer = transfer, .err = err };
	int failed;

	if (curl_load(&request.curl, err))
		return -1;
	request.handle = request.curl.init();
	if (!request.handle)
		return error_set(err, ENOMEM, "--fetch: cannot start libcurl");
	failed = perform(&request);
	request.curl.cleanup(request.handle);
	return failed;
}
