#include "deb/dsc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "deb/fields.h"

#define TEXT_MAX   (4 << 20)
#define PARTS_MAX  1000
#define CHUNK	   (1 << 20)
#define HEX_DIGITS (HASH_TEXT - 1)

static int read_text(struct dsc *dsc, struct error *err)
{
	cleanup_file FILE *file = fopen(dsc->path, "re");
	cleanup_free char *all = malloc(TEXT_MAX + 1);
	const char *text;
	size_t bytes;

	if (!file)
		return error_set(err, errno, "cannot open %s", dsc->path);
	if (!all)
		return error_set(err, ENOMEM, "cannot read %s", dsc->path);
	bytes = fread(all, 1, TEXT_MAX + 1, file);
	if (ferror(file))
		return error_set(err, errno, "cannot read %s", dsc->path);
	if (bytes > TEXT_MAX || memchr(all, '\0', bytes))
		return error_set(err, 0, "%s is not the .dsc of a source package", dsc->path);
	all[bytes] = '\0';
	text = fields_unsigned(all);
	if (!text)
		return error_set(
			err, 0, "%s is signed, but the signature has been cut off", dsc->path);
	dsc->text = strdup(text);
	return dsc->text ? 0 : error_set(err, ENOMEM, "cannot read %s", dsc->path);
}

/* deb-src-control(5): at least two characters, the first one a letter or digit. */
static bool is_source_name(const char *text)
{
	return strlen(text) > 1 && isalnum((unsigned char)text[0]) &&
	       !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+-.")];
}

static bool is_version(const char *text)
{
	const char *rest = text + strspn(text, "0123456789");

	rest = *rest == ':' ? rest + 1 : text;
	for (const char *c = rest; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(".+~-", *c))
			return false;
	return isdigit((unsigned char)*rest);
}

static int take_name(struct dsc *dsc, struct error *err)
{
	dsc->source = fields_find(dsc->text, "Source");
	dsc->version = fields_find(dsc->text, "Version");
	if (!dsc->source || !dsc->version)
		return error_set(err, 0, "%s is not the .dsc of a source package: it has no %s",
			dsc->path, dsc->source ? "Version" : "Source");
	if (!is_source_name(dsc->source) || !is_version(dsc->version))
		return error_set(err, 0, "%s: '%.100s %.100s' is not a name and a version",
			dsc->path, dsc->source, dsc->version);
	return 0;
}

/* Parts lie beside the .dsc, and nowhere else. */
static bool is_part_name(const char *name)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("+-._~%:", *name))
			return false;
	return true;
}

/* "DIGEST SIZE NAME", cut out of a line. */
static int take_line(char *line, char *words[3], uint64_t *size)
{
	char *state, *end;

	for (int i = 0; i < 3; i++) {
		words[i] = strtok_r(i ? NULL : line, " \t\r", &state);
		if (!words[i])
			return -1;
	}
	errno = 0;
	*size = strtoull(words[1], &end, 10);
	if (strtok_r(NULL, " \t\r", &state) || errno || *end || !isdigit((unsigned char)*words[1]))
		return -1;
	return 0;
}

static int add_part(struct dsc *dsc, const struct dsc_part *part, struct error *err)
{
	struct dsc_part *parts = reallocarray(dsc->parts, dsc->count + 1, sizeof(*parts));

	if (parts)
		dsc->parts = parts;
	if (!parts || !part->name)
		return error_set(err, ENOMEM, "cannot read %s", dsc->path);
	parts[dsc->count++] = *part;
	return 0;
}

static int take_part(struct dsc *dsc, char *line, struct error *err)
{
	struct dsc_part part;
	char *words[3];

	if (dsc->count == PARTS_MAX || take_line(line, words, &part.size) ||
		strlen(words[0]) != HEX_DIGITS || words[0][strspn(words[0], "0123456789abcdef")] ||
		!is_part_name(words[2]))
		return error_set(err, 0, "%s: Checksums-Sha256 is malformed", dsc->path);
	for (size_t i = 0; i < dsc->count; i++)
		if (strcmp(dsc->parts[i].name, words[2]) == 0)
			return error_set(err, 0, "%s names %s twice", dsc->path, words[2]);
	memcpy(part.digest, words[0], HASH_TEXT);
	part.name = strdup(words[2]);
	return add_part(dsc, &part, err);
}

static int take_parts(struct dsc *dsc, struct error *err)
{
	cleanup_free char *sums = fields_find(dsc->text, "Checksums-Sha256");
	char *state, *line;

	if (!sums || !*sums)
		return error_set(err, 0, "%s: has no Checksums-Sha256", dsc->path);
	for (line = strtok_r(sums, "\n", &state); line; line = strtok_r(NULL, "\n", &state))
		if (take_part(dsc, line, err))
			return -1;
	return 0;
}

static bool has_part(const struct dsc *dsc, const char *name, uint64_t size)
{
	for (size_t i = 0; i < dsc->count; i++)
		if (strcmp(dsc->parts[i].name, name) == 0)
			return dsc->parts[i].size == size;
	return false;
}

/* dpkg-source goes by Files: it must not name anything that has no checksum. */
static int check_files(const struct dsc *dsc, struct error *err)
{
	cleanup_free char *files = fields_find(dsc->text, "Files");
	size_t count = 0;
	bool same = true;
	char *state;

	if (!files)
		return error_set(err, 0, "%s: has no Files", dsc->path);
	for (char *line = strtok_r(files, "\n", &state); line;
		line = strtok_r(NULL, "\n", &state), count++) {
		char *words[3];
		uint64_t size;

		same &= take_line(line, words, &size) == 0 && has_part(dsc, words[2], size);
	}
	if (!same || count != dsc->count)
		return error_set(
			err, 0, "%s: Files and Checksums-Sha256 do not name the same", dsc->path);
	return 0;
}

int dsc_read(const char *path, struct dsc *dsc, struct error *err)
{
	*dsc = (struct dsc){ .path = strdup(path) };
	if (!dsc->path)
		return error_set(err, ENOMEM, "cannot read %s", path);
	if (read_text(dsc, err) || take_name(dsc, err) || take_parts(dsc, err))
		return -1;
	return check_files(dsc, err);
}

void dsc_release(struct dsc *dsc)
{
	for (size_t i = 0; i < dsc->count; i++)
		free(dsc->parts[i].name);
	free(dsc->parts);
	free(dsc->source);
	free(dsc->version);
	free(dsc->text);
	free(dsc->path);
}

const char *dsc_file_version(const struct dsc *dsc)
{
	const char *epoch = strchr(dsc->version, ':');

	return epoch ? epoch + 1 : dsc->version;
}

static int copy_bytes(FILE *from, FILE *to, struct hash *hash)
{
	cleanup_free char *buffer = malloc(CHUNK);
	size_t n;

	while (buffer && (n = fread(buffer, 1, CHUNK, from)) > 0) {
		hash_add(hash, buffer, n);
		if (fwrite(buffer, 1, n, to) != n)
			return -1;
	}
	return !buffer || ferror(from) ? -1 : 0;
}

/* Without waiting for the other end of a FIFO. */
static FILE *open_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static FILE *create_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

static int check_part(
	const struct dsc *dsc, const struct dsc_part *part, struct hash *hash, struct error *err)
{
	uint64_t size = hash->bytes;
	char digest[HASH_TEXT];

	hash_finish(hash, digest);
	if (size != part->size)
		return error_set(err, 0, "%s has %" PRIu64 " bytes; %s says %" PRIu64, part->name,
			size, dsc->path, part->size);
	if (strcmp(digest, part->digest) != 0)
		return error_set(err, 0, "%s has the checksum sha256:%s; %s says %s", part->name,
			digest, dsc->path, part->digest);
	return 0;
}

static int copy_part(
	const struct dsc *dsc, const struct dsc_part *part, int from, int to, struct error *err)
{
	cleanup_file FILE *in = open_in(from, part->name), *out = NULL;
	struct stat status;
	struct hash hash;

	if (!in || fstat(fileno(in), &status))
		return error_set(err, errno, "cannot open %s, a part of %s", part->name, dsc->path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, 0, "%s is not a regular file", part->name);
	out = create_in(to, part->name);
	hash_start(&hash);
	if (!out || copy_bytes(in, out, &hash) || fflush(out))
		return error_set(err, errno, "cannot copy %s", part->name);
	return check_part(dsc, part, &hash, err);
}

static int open_parent(const char *path)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");

	return parent ? open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

int dsc_copy(const struct dsc *dsc, const char *directory, const char *name, struct error *err)
{
	cleanup_close int from = open_parent(dsc->path);
	cleanup_close int to = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_file FILE *own = NULL;

	if (from < 0 || to < 0)
		return error_set(err, errno, "cannot copy the parts of %s", dsc->path);
	for (size_t i = 0; i < dsc->count; i++)
		if (copy_part(dsc, &dsc->parts[i], from, to, err))
			return -1;
	own = create_in(to, name);
	if (!own || fputs(dsc->text, own) < 0 || fflush(own))
		return error_set(err, errno, "cannot copy %s", dsc->path);
	return 0;
}
