/* OCI layouts, without their layers' files: which image is chosen, what its config says, and how every
 * kind of damage is told. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/oci.h"
#include "image/oci_json.h"
#include "image/oci_stream.h"
#include "image/users.h"

#define INDEX	  "application/vnd.oci.image.index.v1+json"
#define MANIFEST  "application/vnd.oci.image.manifest.v1+json"
#define CONFIG	  "application/vnd.oci.image.config.v1+json"
#define LAYER	  "application/vnd.oci.image.layer.v1.tar"
#define AMD64	  ", \"platform\": {\"os\": \"linux\", \"architecture\": \"amd64\"}"
#define ARM64	  ", \"platform\": {\"os\": \"linux\", \"architecture\": \"arm64\"}"
#define TAG(name) ", \"annotations\": {\"org.opencontainers.image.ref.name\": \"" name "\"}"
#define ZEROS	  "0000000000000000000000000000000000000000000000000000000000000000"

static char place[PATH_MAX];
static int layout;

static void write_file(const char *path, const char *text)
{
	int fd = openat(layout, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int set_up(void **state)
{
	snprintf(place, sizeof(place), "%s/stet-oci-XXXXXX",
		getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(place))
		return -1;
	layout = open(place, O_RDONLY | O_DIRECTORY);
	mkdirat(layout, "blobs", 0700);
	mkdirat(layout, "blobs/sha256", 0700);
	write_file("oci-layout", "{\"imageLayoutVersion\": \"1.0.0\"}");
	return layout < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
	char command[PATH_MAX + 16];

	close(layout);
	snprintf(command, sizeof(command), "rm -rf '%s'", place);
	return system(command);
}

/* Writes a blob; returns its descriptor, without the closing brace, in a place that is used again
 * after some more calls. */
static const char *blob(const char *media, const char *text)
{
	static char descriptors[8][512];
	static int used;
	char *descriptor = descriptors[used++ % 8], digest[HASH_TEXT], path[128];
	struct hash hash;

	hash_start(&hash);
	hash_add(&hash, text, strlen(text));
	hash_finish(&hash, digest);
	snprintf(path, sizeof(path), "blobs/sha256/%s", digest);
	write_file(path, text);
	snprintf(descriptor, sizeof(descriptors[0]),
		"{\"mediaType\": \"%s\", \"digest\": \"sha256:%s\", \"size\": %zu", media, digest,
		strlen(text));
	return descriptor;
}

static char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* Likewise. */
static char *format(const char *pattern, ...)
{
	static char texts[8][4096];
	static int used;
	char *text = texts[used++ % 8];
	va_list args;

	va_start(args, pattern);
	vsnprintf(text, sizeof(texts[0]), pattern, args);
	va_end(args);
	return text;
}

static const char *manifest(const char *config)
{
	return blob(MANIFEST, format("{\"schemaVersion\": 2, \"config\": %s}, \"layers\": []}",
				      blob(CONFIG, config)));
}

/* An image without layers that can be told by its user. */
static const char *image(const char *user)
{
	return manifest(format("{\"rootfs\": {\"type\": \"layers\"}, \"config\": {\"User\": "
			       "\"%s\"}}",
		user));
}

static void write_index(const char *entries)
{
	write_file("index.json", format("{\"schemaVersion\": 2, \"manifests\": [%s]}", entries));
}

static void expect_user(const char *tag, const char *user)
{
	struct error err = { 0 };
	struct oci oci;

	if (oci_open(layout, "IMG", tag, &oci, &err))
		fail_msg("%s", err.text);
	assert_string_equal(oci.config.user, user);
	oci_close(&oci);
}

static void expect_error(const char *tag, const char *part)
{
	struct error err = { 0 };
	struct oci oci;

	assert_int_equal(oci_open(layout, "IMG", tag, &oci, &err), -1);
	assert_int_equal(err.status, 125);
	if (strncmp(err.text, "IMG: ", 5) || !strstr(err.text, part))
		fail_msg("'%s' is not in '%s'", part, err.text);
}

static void digests_have_one_spelling(void **state)
{
	struct oci_digest digest;
	char path[OCI_BLOB_PATH];

	assert_true(oci_digest_read(&digest, "sha256:" ZEROS));
	oci_digest_path(&digest, path);
	assert_string_equal(path, "blobs/sha256/" ZEROS);
	assert_true(oci_digest_read(&digest, "sha512:" ZEROS ZEROS));
	oci_digest_path(&digest, path);
	assert_string_equal(path, "blobs/sha512/" ZEROS ZEROS);
	assert_false(oci_digest_read(&digest, ""));
	assert_false(oci_digest_read(&digest, "sha256:"));
	assert_false(oci_digest_read(&digest, ZEROS));
	assert_false(oci_digest_read(&digest, "md5:" ZEROS));
	assert_false(oci_digest_read(&digest, "sha256:" ZEROS "0"));
	assert_false(oci_digest_read(&digest, "sha256:" ZEROS ZEROS));
	assert_false(oci_digest_read(&digest, "sha512:" ZEROS));
	assert_false(oci_digest_read(&digest,
		"sha256:A000000000000000000000000000000000000000000000000000000000000000"));
	assert_false(oci_digest_read(&digest,
		"sha256:../../../00000000000000000000000000000000000000000000000000000000"));
}

static void content_is_held_against_its_digest(void **state)
{
	static const char *const of_abc[] = {
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a"
		"274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
	};

	for (int i = 0; i < 2; i++) {
		struct oci_digest digest;
		struct oci_check check;

		assert_true(oci_digest_read(&digest, of_abc[i]));
		oci_check_start(&check, &digest);
		oci_check_add(&check, "ab", 2);
		oci_check_add(&check, "c", 1);
		assert_true(oci_check_matches(&check));
		oci_check_start(&check, &digest);
		oci_check_add(&check, "abd", 3);
		assert_false(oci_check_matches(&check));
	}
}

static void config_says_how_to_run(void **state)
{
	struct error err = { 0 };
	struct oci oci;

	write_index(format(
		"%s}", manifest("{\"os\": \"linux\", \"architecture\": \"amd64\", \"config\": {"
				"\"Env\": [\"A=1\", \"B=\"], \"Entrypoint\": [\"/e\", \"x\"], "
				"\"Cmd\": null, "
				"\"WorkingDir\": \"/w\", \"User\": \"\"},"
				"\"rootfs\": {\"type\": \"layers\", \"diff_ids\": []}}")));
	assert_int_equal(oci_open(layout, "IMG", NULL, &oci, &err), 0);
	assert_string_equal(oci.config.environment[0], "A=1");
	assert_string_equal(oci.config.environment[1], "B=");
	assert_null(oci.config.environment[2]);
	assert_string_equal(oci.config.entrypoint[1], "x");
	assert_null(oci.config.command);
	assert_string_equal(oci.config.workdir, "/w");
	assert_null(oci.config.user);
	assert_int_equal(oci.layer_count, 0);
	assert_int_equal(strlen(oci.manifest), HASH_TEXT - 1);
	oci_close(&oci);
}

static void this_machines_image_is_chosen(void **state)
{
	const char *inner;

	write_index(format("%s " ARM64 "}, %s " AMD64 "}", image("arm"), image("amd")));
	expect_user(NULL, "amd");
	/* In an index behind an index, with an attestation, and one for newer machines only. */
	inner = format(
		"{\"schemaVersion\": 2, \"manifests\": [%s, \"platform\": {\"os\": \"unknown\", "
		"\"architecture\": \"unknown\"}}, %s, \"platform\": {\"os\": \"linux\", "
		"\"architecture\": \"amd64\", \"variant\": \"v3\"}}, %s " AMD64 "}]}",
		image("attestation"), image("new"), image("amd"));
	inner = format("{\"schemaVersion\": 2, \"manifests\": [%s}]}", blob(INDEX, inner));
	write_index(format("%s}", blob(INDEX, inner)));
	expect_user(NULL, "amd");
	write_index(format("%s}", image("only")));
	expect_user(NULL, "only");
	write_index(format("%s " ARM64 "}", image("arm")));
	expect_error(NULL, "no image for linux/amd64, but: linux/arm64");
	write_index(format("%s}", manifest("{\"os\": \"linux\", \"architecture\": \"riscv64\", "
					   "\"rootfs\": {\"type\": \"layers\"}}")));
	expect_error(NULL, "for linux/riscv64");
}

static void several_images_need_a_tag(void **state)
{
	write_index(format("%s " TAG("a") "}, %s " TAG("x/b:1") "}", image("a"), image("b")));
	expect_error(NULL, "choose one by PATH:TAG, of: a, x/b:1");
	expect_user("a", "a");
	expect_user("x/b:1", "b");
	expect_error("c", "no image with tag c; it has: a, x/b:1");
	/* Two tags of one image are no choice, and one tag of two images is none either. */
	write_index(format("%s " TAG("a") "}, %s " TAG("b") "}", image("a"), image("a")));
	expect_user(NULL, "a");
	write_index(format("%s " TAG("a") "}, %s " TAG("a") "}", image("a"), image("b")));
	expect_error("a", "of: sha256:");
	write_index("");
	expect_error(NULL, "index.json: it names no image");
	expect_error("a", "it has: none");
}

static void indexes_come_to_an_end(void **state)
{
	const char *entry = image("deep");
	char *wide;

	for (int depth = 1; depth < 8; depth++)
		entry = blob(INDEX, format("{\"schemaVersion\": 2, \"manifests\": [%s}]}", entry));
	write_index(format("%s}", entry));
	expect_user(NULL, "deep");
	entry = blob(INDEX, format("{\"schemaVersion\": 2, \"manifests\": [%s}]}", entry));
	write_index(format("%s}", entry));
	expect_error(NULL, "index in an index");
	/* Each level doubles the work, or does worse. */
	entry = image("wide");
	wide = malloc(65536);
	for (int depth = 1; depth < 8; depth++) {
		strcpy(wide, "{\"schemaVersion\": 2, \"manifests\": [");
		for (int i = 0; i < 100; i++)
			sprintf(wide + strlen(wide), "%s%s}", i ? "," : "", entry);
		strcat(wide, "]}");
		entry = blob(INDEX, wide);
	}
	free(wide);
	write_index(format("%s}", entry));
	expect_error(NULL, "more than 1000 documents");
}

static void damaged_documents_are_told(void **state)
{
	static const struct {
		const char *index, *message;
	} cases[] = {
		{ "", "index.json: bad JSON" },
		{ "[]", "index.json: must be a JSON object" },
		{ "{} {}", "index.json: bad JSON" },
		{ "{\"a\": 1, \"a\": 2}", "index.json: bad JSON: duplicate" },
		{ "{\"a\": \"\xff\"}", "index.json: bad JSON: unable to decode byte 0xff" },
		{ "{\"a\": \"\\u0000\"}", "index.json: bad JSON" },
		{ "{}", "\"schemaVersion\" is missing" },
		{ "{\"schemaVersion\": 1}", "\"schemaVersion\" is 1" },
		{ "{\"schemaVersion\": \"2\"}", "\"schemaVersion\" must be a whole number" },
		{ "{\"schemaVersion\": 2}", "\"manifests\" is missing" },
		{ "{\"schemaVersion\": 2, \"manifests\": {}}", "\"manifests\" must be a list" },
		{ "{\"schemaVersion\": 2, \"manifests\": [1]}", "descriptor must be an object" },
		{ "{\"schemaVersion\": 2, \"mediaType\": \"" MANIFEST "\", \"manifests\": []}",
			"is not what its descriptor says" },
		{ "{\"schemaVersion\": 2, \"manifests\": [{}]}", "\"mediaType\" is missing" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_file("index.json", cases[i].index);
		expect_error(NULL, cases[i].message);
	}
}

static void damaged_descriptors_are_told(void **state)
{
#define OF(digest, size)                                                                           \
	"{\"mediaType\": \"" MANIFEST "\", \"digest\": " digest ", \"size\": " size "}"
	static const struct {
		const char *entry, *message;
	} cases[] = {
		{ "{\"mediaType\": 1}", "\"mediaType\" must be a string" },
		{ "{\"mediaType\": \"x\"}", "\"digest\" is missing" },
		{ OF("\"md5:0\"", "1"), "digest md5:0: must be sha256:" },
		{ OF("\"sha256:../../../etc/passwd\"", "1"), "must be sha256:" },
		{ OF("7", "1"), "\"digest\" must be a string" },
		{ OF("\"sha256:" ZEROS "\"", "-1"), "must not be negative" },
		{ OF("\"sha256:" ZEROS "\"", "1e3"), "\"size\" must be a whole number" },
		{ OF("\"sha256:" ZEROS "\"", "99999999999999999999"), "bad JSON" },
		{ OF("\"sha256:" ZEROS "\"", "1"), "blob sha256:" ZEROS ": it is missing" },
		{ "{\"mediaType\": \"text/\\nplain\", \"digest\": \"sha256:" ZEROS
		  "\", \"size\": 1}",
			"but: media type text/?plain" },
		{ "{\"mediaType\": \"" MANIFEST
		  "\", \"artifactType\": \"a/b\", \"digest\": \"sha256:" ZEROS "\", \"size\": 1}",
			"but: media type a/b" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_index(cases[i].entry);
		expect_error(NULL, cases[i].message);
	}
}

static void damaged_manifests_and_configs_are_told(void **state)
{
#define USE(members) "{\"rootfs\": {\"type\": \"layers\"}, \"config\": {" members "}}"
	static const struct {
		const char *config, *message;
	} cases[] = {
		{ "{}", "\"rootfs\" is missing" },
		{ "{\"rootfs\": {}}", "\"type\" is missing" },
		{ "{\"rootfs\": {\"type\": \"windows\"}}", "of type windows" },
		{ "{\"rootfs\": {\"type\": \"layers\", \"diff_ids\": [\"x\"]}}",
			"\"diff_ids\" has 1 entries, and the manifest has 0 layers" },
		{ USE("\"Env\": \"A=1\""), "\"Env\" must be a list" },
		{ USE("\"Env\": [1]"), "\"Env\" must be a list of strings" },
		{ USE("\"Env\": [\"A\"]"), "\"Env\": A must be NAME=VALUE" },
		{ USE("\"Env\": [\"=A\"]"), "\"Env\": =A must be NAME=VALUE" },
		{ USE("\"Cmd\": {}"), "\"Cmd\" must be a list" },
		{ USE("\"WorkingDir\": \"w\""), "must be an absolute path" },
		{ USE("\"User\": 7"), "\"User\" must be a string" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_index(format("%s}", manifest(cases[i].config)));
		expect_error(NULL, cases[i].message);
	}
	write_index(format("%s}", blob(MANIFEST, "{\"schemaVersion\": 2}")));
	expect_error(NULL, "\"config\" is missing");
	write_index(format("%s}", blob(MANIFEST, format("{\"schemaVersion\": 2, \"config\": %s}}",
							 blob("a/b", "{}")))));
	expect_error(NULL, "media type a/b: this is no image to run");
}

static void layers_have_known_types(void **state)
{
	static const struct {
		const char *media, *message;
	} cases[] = {
		{ LAYER, "\"diff_ids\" has 0 entries" },
		{ LAYER "+gzip", "\"diff_ids\" has 0 entries" },
		{ "application/vnd.docker.image.rootfs.diff.tar.gzip", "\"diff_ids\" has 0" },
		{ LAYER "+gzip+encrypted", "is encrypted" },
		{ LAYER "+lzma", "unknown media type " LAYER "+lzma" },
		{ CONFIG, "unknown media type" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *config = blob(CONFIG, "{\"rootfs\": {\"type\": \"layers\"}}");

		write_index(format(
			"%s}", blob(MANIFEST, format("{\"schemaVersion\": 2, \"config\": %s}, "
						     "\"layers\": [%s}]}",
						      config, blob(cases[i].media, "x")))));
		expect_error(NULL, cases[i].message);
	}
}

static void files_are_plain_and_of_their_size(void **state)
{
	const char *entry = format("%s}", image("me"));
	char path[128] = "blobs/sha256/", *digest = strstr(entry, "sha256:") + 7;

	strncat(path, digest, 64);
	write_index(entry);
	expect_user(NULL, "me");
	write_file(path, "{\"schemaVersion\": 2}");
	expect_error(NULL, "it has 20 bytes, and its descriptor says");
	unlinkat(layout, path, 0);
	assert_int_equal(symlinkat("../../index.json", layout, path), 0);
	expect_error(NULL, "symbolic link");
	unlinkat(layout, path, 0);
	assert_int_equal(mkfifoat(layout, path, 0600), 0);
	expect_error(NULL, "not a plain file");
	unlinkat(layout, path, 0);
	assert_int_equal(mkdirat(layout, path, 0700), 0);
	expect_error(NULL, "not a plain file");
	unlinkat(layout, "index.json", 0);
	expect_error(NULL, "index.json: it is missing");
	write_file("oci-layout", "{\"imageLayoutVersion\": \"2.0.0\"}");
	expect_error(NULL, "oci-layout: version 2.0.0 is not known");
}

static void same_size_other_content_is_found(void **state)
{
	const char *entry = format("%s}", image("me"));
	char path[128] = "blobs/sha256/", *digest = strstr(entry, "sha256:") + 7;
	int fd;

	strncat(path, digest, 64);
	write_index(entry);
	fd = openat(layout, path, O_WRONLY);
	assert_int_equal(pwrite(fd, "X", 1, 2), 1);
	close(fd);
	expect_error(NULL, "another digest");
}

static void large_and_deep_documents_are_refused_at_once(void **state)
{
	size_t bytes = 4 << 20;
	char *deep = malloc(bytes + 1);
	int fd;

	memset(deep, '[', bytes);
	deep[bytes] = 0;
	write_file("index.json", deep);
	free(deep);
	expect_error(NULL, "index.json: bad JSON: maximum parsing depth");
	fd = openat(layout, "index.json", O_WRONLY);
	assert_int_equal(ftruncate(fd, 100 << 20), 0);
	close(fd);
	expect_error(NULL, "JSON of more than 4 MiB is refused");
}

static void layouts_are_recognized(void **state)
{
	assert_true(oci_is_layout(layout));
	unlinkat(layout, "oci-layout", 0);
	assert_false(oci_is_layout(layout));
	write_index("");
	assert_true(oci_is_layout(layout));
}

static void names_are_split_at_the_longest_path(void **state)
{
	static const struct {
		const char *name, *path, *tag;
	} cases[] = {
		{ "blobs", "blobs", NULL },
		{ "blobs:1", "blobs", "1" },
		{ "blobs:x/y:1", "blobs", "x/y:1" },
		{ "blobs:here", "blobs:here", NULL },
		{ "blobs:here:1", "blobs:here", "1" },
		{ "nowhere:1", "nowhere:1", NULL },
		{ ":1", ":1", NULL },
		{ "", "", NULL },
	};
	char before[PATH_MAX];

	assert_non_null(getcwd(before, sizeof(before)));
	mkdirat(layout, "blobs:here", 0700);
	assert_int_equal(fchdir(layout), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *tag;
		char *path = oci_split_name(cases[i].name, &tag);

		assert_string_equal(path, cases[i].path);
		if (cases[i].tag)
			assert_string_equal(tag, cases[i].tag);
		else
			assert_null(tag);
		free(path);
	}
	assert_int_equal(chdir(before), 0);
}

static void expect_id(const char *user, uid_t uid, gid_t gid)
{
	struct error err = { 0 };
	uid_t found_uid = 1;
	gid_t found_gid = 1;

	if (image_user_find(place, user, &found_uid, &found_gid, &err))
		fail_msg("%s: %s", user, err.text);
	assert_int_equal(found_uid, uid);
	assert_int_equal(found_gid, gid);
}

static void expect_nobody(const char *user, const char *part)
{
	struct error err = { 0 };
	uid_t uid;
	gid_t gid;

	assert_int_equal(image_user_find(place, user, &uid, &gid, &err), -1);
	if (!strstr(err.text, part))
		fail_msg("'%s' is not in '%s'", part, err.text);
}

static void users_have_the_images_names(void **state)
{
	expect_id("7", 7, 0);
	expect_nobody("root", "no user root");
	mkdirat(layout, "etc", 0700);
	write_file("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nme:x:1000:100::/:/bin/sh\nbad:x\n"
				 "minus:x:-1:0\n");
	write_file("etc/group", "root:x:0:\nusers:x:100:me\nstaff:x:50:");
	expect_id("me", 1000, 100);
	expect_id("1000", 1000, 100);
	expect_id("1001", 1001, 0);
	expect_id("me:staff", 1000, 50);
	expect_id("me:7", 1000, 7);
	expect_id("7:users", 7, 100);
	expect_id("me:", 1000, 100);
	expect_nobody("you", "no user you");
	expect_nobody("bad", "no user bad");
	expect_nobody("minus", "no user minus");
	expect_nobody("me:you", "no group you");
	expect_nobody("4294967295", "no user");
	/* A link leads to where it leads inside; a FIFO nowhere. */
	unlinkat(layout, "etc/passwd", 0);
	write_file("passwd", "inside:x:5:6:");
	assert_int_equal(symlinkat("/../../passwd", layout, "etc/passwd"), 0);
	expect_id("inside", 5, 6);
	unlinkat(layout, "etc/passwd", 0);
	assert_int_equal(mkfifoat(layout, "etc/passwd", 0600), 0);
	expect_nobody("me", "no plain file");
}

/* Reads a blob of this content to its end; what it came to. */
static int stream_through(
	const char *blob_digest, const char *diff, uint64_t size, struct error *err)
{
	struct oci_layer layer = { .size = size };
	struct oci_stream *stream;
	const void *data;
	int fd = openat(layout, "content", O_RDONLY), failed;

	assert_true(oci_digest_read(&layer.blob, blob_digest));
	assert_true(oci_digest_read(&layer.diff, diff));
	stream = oci_stream_open(fd, &layer, err);
	assert_non_null(stream);
	while (oci_stream_next(stream, &data, err) > 0)
		;
	failed = oci_stream_finish(stream, err);
	oci_stream_close(stream);
	close(fd);
	return failed;
}

static void streams_check_both_digests(void **state)
{
	static const char abc[] =
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	static const char empty[] =
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	struct error err;

	write_file("content", "abc");
	assert_int_equal(stream_through(abc, abc, 3, &err), 0);
	assert_int_equal(stream_through(abc, empty, 3, &err), -1);
	assert_non_null(strstr(err.text, "of the config"));
	assert_int_equal(stream_through(empty, abc, 3, &err), -1);
	assert_non_null(strstr(err.text, "another digest"));
	assert_int_equal(stream_through(abc, abc, 2, &err), -1);
	assert_int_equal(stream_through(abc, abc, 9, &err), 0); /* who opens it checks the size */
	assert_int_equal(stream_through(empty, empty, 0, &err), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(digests_have_one_spelling),
		TEST(content_is_held_against_its_digest),
		TEST(config_says_how_to_run),
		TEST(this_machines_image_is_chosen),
		TEST(several_images_need_a_tag),
		TEST(indexes_come_to_an_end),
		TEST(damaged_documents_are_told),
		TEST(damaged_descriptors_are_told),
		TEST(damaged_manifests_and_configs_are_told),
		TEST(layers_have_known_types),
		TEST(files_are_plain_and_of_their_size),
		TEST(same_size_other_content_is_found),
		TEST(large_and_deep_documents_are_refused_at_once),
		TEST(layouts_are_recognized),
		TEST(names_are_split_at_the_longest_path),
		TEST(users_have_the_images_names),
		TEST(streams_check_both_digests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
