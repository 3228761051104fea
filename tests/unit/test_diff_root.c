/* ROOT files, made here: records in any order and of any size of seeks, packed in all ways, deleted,
 * not listed, damaged; and that nothing in such a file leads anywhere. */
#include <lz4.h>
#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmocka.h>

#include "diff/compare.h"
#include "diff/root.h"
#include "diff/root_file.h"
#include "diff/root_payload.h"

#define MOST  1000
#define BEGIN 100
#define NOON  0x54a2c000u /* some time */

/* A file that grows. */
struct maker {
	unsigned char data[32768];
	size_t size;
	bool wide;
	uint32_t time;
	const char *name;
	size_t directory; /* where the top directory's data are */
	size_t keys[16];  /* of what is to be listed there */
	size_t key_count;
};

static void put(struct maker *maker, uint64_t number, unsigned bytes)
{
	assert_true(maker->size + bytes <= sizeof(maker->data));
	for (unsigned i = bytes; i-- > 0;)
		maker->data[maker->size++] = (unsigned char)(number >> 8 * i);
}

static void put_bytes(struct maker *maker, const void *bytes, size_t size)
{
	assert_true(maker->size + size <= sizeof(maker->data));
	memcpy(maker->data + maker->size, bytes, size);
	maker->size += size;
}

static void put_text(struct maker *maker, const char *text)
{
	put(maker, strlen(text), 1);
	put_bytes(maker, text, strlen(text));
}

static void put_seek(struct maker *maker, uint64_t seek)
{
	put(maker, seek, maker->wide ? 8 : 4);
}

static void put_at(struct maker *maker, size_t at, uint64_t number, unsigned bytes)
{
	size_t size = maker->size;

	maker->size = at;
	put(maker, number, bytes);
	maker->size = size;
}

/* A key; its sizes come with finish_record. */
static size_t start_record(struct maker *maker, const char *class, const char *name,
	const char *title, int cycle, size_t directory)
{
	size_t at = maker->size;

	put(maker, 0, 4);
	put(maker, maker->wide ? 1004 : 4, 2);
	put(maker, 0, 4);
	put(maker, maker->time, 4);
	put(maker, 0, 2);
	put(maker, (uint64_t)cycle, 2);
	put_seek(maker, at);
	put_seek(maker, directory);
	put_text(maker, class);
	put_text(maker, name);
	put_text(maker, title);
	put_at(maker, at + 14, maker->size - at, 2);
	return at;
}

static size_t key_bytes(const struct maker *maker, size_t at)
{
	return (size_t)maker->data[at + 14] << 8 | maker->data[at + 15];
}

static void finish_record(struct maker *maker, size_t at, size_t object_bytes)
{
	put_at(maker, at, maker->size - at, 4);
	put_at(maker, at + 6, object_bytes ? object_bytes : maker->size - at - key_bytes(maker, at),
		4);
}

static size_t put_directory_data(struct maker *maker, size_t at)
{
	size_t data = maker->size;

	put(maker, maker->wide ? 1005 : 5, 2);
	put(maker, maker->time, 4);
	put(maker, maker->time, 4);
	put(maker, 0, 4 + 4);
	put_seek(maker, at);
	put_seek(maker, 0);
	put_seek(maker, 0);
	put(maker, 1, 2);
	put_bytes(maker, "0123456789abcdef", 16);
	return data;
}

static void start_file(struct maker *maker, bool wide)
{
	size_t at;

	*maker = (struct maker){ .wide = wide, .time = NOON, .name = "file.root" };
	put_bytes(maker, "root", 4);
	put(maker, wide ? 1062000 : 62000, 4);
	put(maker, BEGIN, 4);
	while (maker->size < BEGIN)
		put(maker, 0, 1);
	at = start_record(maker, "TFile", maker->name, "", 1, 0);
	put_text(maker, maker->name);
	put_text(maker, "");
	maker->directory = put_directory_data(maker, at);
	finish_record(maker, at, 0);
}

static size_t put_object_of(struct maker *maker, const char *class, const char *name,
	const char *title, int cycle, const char *payload)
{
	size_t at = start_record(maker, class, name, title, cycle, BEGIN);

	put_bytes(maker, payload, strlen(payload));
	finish_record(maker, at, 0);
	maker->keys[maker->key_count++] = at;
	return at;
}

static size_t put_object(struct maker *maker, const char *name, const char *payload)
{
	return put_object_of(maker, "TObjString", name, "title", 1, payload);
}

static void put_seek_at(struct maker *maker, size_t at, uint64_t seek)
{
	put_at(maker, at, seek, maker->wide ? 8 : 4);
}

/* A list of keys, for the directory whose data are at `data`. */
static size_t put_keys(struct maker *maker, const size_t *keys, size_t count, size_t data)
{
	size_t at = start_record(maker, "TFile", maker->name, "", 1, BEGIN);

	put(maker, count, 4);
	for (size_t i = 0; i < count; i++)
		put_bytes(maker, maker->data + keys[i], key_bytes(maker, keys[i]));
	finish_record(maker, at, 0);
	put_seek_at(maker, data + 18 + 2 * (maker->wide ? 8 : 4), at);
	return at;
}

/* Returns where the list of free segments is. */
static size_t finish_file(struct maker *maker)
{
	size_t at;

	put_keys(maker, maker->keys, maker->key_count, maker->directory);
	at = start_record(maker, "TFile", maker->name, "", 1, BEGIN);
	put(maker, maker->wide ? 1001 : 1, 2);
	put_seek(maker, 0);
	put_seek(maker, 2000000000);
	finish_record(maker, at, 0);
	put_seek_at(maker, 12, maker->size);
	put_seek_at(maker, maker->wide ? 20 : 16, at);
	return at;
}

static struct blob blob_of(const struct maker *maker)
{
	return (struct blob){ .data = maker->data, .size = maker->size };
}

/* Compares; the node is to be freed. NULL: one of them is not of this format. */
static struct node *compare_with(
	const struct maker *a, const struct maker *b, struct diff_options *options)
{
	const struct pair pair = { blob_of(a), blob_of(b) };
	struct diff diff = { .options = options, .budget = { .left = options->memory } };
	struct node *node = node_new("file", "ROOT");
	struct error err;
	enum compared compared;

	assert_non_null(node);
	compared = root_is(&pair.a) && root_is(&pair.b) ? root_compare(&diff, node, &pair, &err)
							: NOT_THIS;
	assert_int_not_equal(compared, COMPARE_FAILED);
	assert_int_equal(diff.budget.left, options->memory);
	if (compared == COMPARED)
		return node;
	assert_int_equal(node->finding_count, 0);
	node_free(node);
	return NULL;
}

static struct node *compare(const struct maker *a, const struct maker *b)
{
	struct diff_options options = { .memory = 1 << 20, .depth = 8, .members = MOST };

	return compare_with(a, b, &options);
}

static bool says(const struct node *node, const char *text)
{
	for (size_t i = 0; i < node->finding_count; i++)
		if (strstr(node->findings[i].what, text))
			return true;
	return false;
}

static const struct node *child(const struct node *node, const char *name)
{
	for (size_t i = 0; i < node->child_count; i++)
		if (strcmp(node->children[i]->name, name) == 0)
			return node->children[i];
	return NULL;
}

static void assert_table(const struct node *node, unsigned objects, unsigned ignored,
	unsigned not_equal, unsigned structure, unsigned content, unsigned bits)
{
	const char *excerpt = node->findings[node->finding_count - 1].excerpt;
	unsigned found[6];

	assert_non_null(excerpt);
	assert_int_equal(sscanf(excerpt,
				 "objects %u\nignored %u\nnot equal %u\nstructure equal %u\n"
				 "content equal %u\nbitwise equal %u\n",
				 &found[0], &found[1], &found[2], &found[3], &found[4], &found[5]),
		6);
	assert_int_equal(found[0], objects);
	assert_int_equal(found[1], ignored);
	assert_int_equal(found[2], not_equal);
	assert_int_equal(found[3], structure);
	assert_int_equal(found[4], content);
	assert_int_equal(found[5], bits);
}

static struct maker one, other;

/* Two objects, in either order. */
static void make(struct maker *maker, bool wide, bool turned)
{
	start_file(maker, wide);
	put_object(maker, turned ? "y" : "x", turned ? "second" : "first");
	put_object(maker, turned ? "x" : "y", turned ? "first" : "second");
	finish_file(maker);
}

static void levels_are_those_of_root_diff(void **state)
{
	struct node *node;

	(void)state;
	start_file(&one, false);
	put_object(&one, "same", "same");
	put_object(&one, "other", "this");
	put_object(&one, "longer", "this");
	put_object(&one, "gone", "this");
	start_file(&other, false);
	put_object(&other, "same", "same");
	put_object(&other, "other", "that");
	put_object(&other, "longer", "that one");
	other.time++;
	put_object(&other, "new", "this");
	finish_file(&one);
	finish_file(&other);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 8, 3, 3, 1, 0, 1);
	assert_int_equal(node->level, LEVEL_DIFFERENT);
	assert_int_equal(child(node, "other;1 (TObjString)")->level, LEVEL_STRUCTURE);
	assert_int_equal(child(node, "longer;1 (TObjString)")->level, LEVEL_DIFFERENT);
	assert_true(says(child(node, "gone;1 (TObjString)"), "only in A"));
	assert_true(says(child(node, "new;1 (TObjString)"), "only in B"));
	assert_null(child(node, "same;1 (TObjString)"));
	assert_true(child(node, "KeysList")->ignored);
	assert_true(child(node, "FreeSegments")->ignored);
	assert_true(child(node, "TFile")->ignored);
	node_free(node);
}

static void times_leave_the_content_equal(void **state)
{
	struct node *node;

	(void)state;
	make(&one, false, false);
	make(&other, false, false);
	/* The second object's. */
	put_at(&other, other.keys[1] + 10, NOON + 1, 4);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 5, 3, 0, 0, 1, 1);
	assert_true(says(
		child(node, "y;1 (TObjString)"), "time: 2016-02-17 12:00:00, 2016-02-17 12:00:01"));
	assert_int_equal(node->level, LEVEL_CONTENT);
	node_free(node);
}

static void order_and_width_of_seeks_leave_the_content_equal(void **state)
{
	struct node *node;

	(void)state;
	make(&one, false, false);
	make(&other, true, true);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 5, 3, 0, 0, 0, 2);
	assert_int_equal(node->level, LEVEL_CONTENT);
	assert_true(says(node, "another order"));
	assert_true(says(node, "written by ROOT 6.20/00, 6.20/00 (64-bit)"));
	node_free(node);
}

static void cycle_and_class_are_structure(void **state)
{
	struct node *node;

	(void)state;
	start_file(&one, false);
	put_object_of(&one, "TH1F", "x", "", 1, "payload");
	put_object_of(&one, "TH1F", "y", "", 1, "payload");
	put_object_of(&one, "TH1F", "z", "", 1, "payload");
	finish_file(&one);
	start_file(&other, false);
	put_object_of(&other, "TH1F", "x", "", 2, "payload");
	put_object_of(&other, "TH1D", "y", "", 1, "payload");
	put_object_of(&other, "TH1F", "z", "other", 1, "payload");
	finish_file(&other);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 6, 3, 2, 1, 0, 0);
	assert_true(says(child(node, "x;1 (TH1F)"), "cycle: 1, 2"));
	assert_true(says(child(node, "y;1 (TH1F)"), "class: TH1F, TH1D"));
	assert_true(says(child(node, "z;1 (TH1F)"), "title: , other"));
	node_free(node);
}

static void several_of_one_name_are_matched_by_their_bytes(void **state)
{
	struct node *node;

	(void)state;
	start_file(&one, false);
	put_object_of(&one, "TBasket", "x", "tree", 0, "one");
	put_object_of(&one, "TBasket", "x", "tree", 0, "two");
	put_object_of(&one, "TBasket", "x", "bush", 0, "bee");
	start_file(&other, false);
	put_object_of(&other, "TBasket", "x", "bush", 0, "bee");
	put_object_of(&other, "TBasket", "x", "tree", 0, "two");
	put_object_of(&other, "TBasket", "x", "tree", 0, "one");
	put_object_of(&other, "TBasket", "x", "tree", 0, "too");
	one.key_count = other.key_count = 0; /* no directory lists baskets */
	finish_file(&one);
	finish_file(&other);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 7, 3, 1, 0, 0, 3);
	assert_true(says(child(node, "x;0 (TBasket of tree) #3"), "only in B"));
	node_free(node);
}

static void deleted_records_are_passed_over(void **state)
{
	struct node *node;
	size_t at;

	(void)state;
	make(&one, false, false);
	start_file(&other, false);
	put_object(&other, "x", "first");
	at = put_object(&other, "old", "something that was deleted");
	put_at(&other, at, (uint64_t) - (int64_t)(other.size - at), 4);
	other.key_count--;
	put_object(&other, "y", "second");
	finish_file(&other);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 5, 3, 0, 0, 0, 2);
	assert_true(says(node, "deleted records: 0 of 0 bytes, 1 of 73 bytes"));
	node_free(node);
}

static void what_only_the_free_list_knows_is_passed_over(void **state)
{
	struct root_file file;
	struct blob blob;
	struct error err;
	size_t hole, list;

	(void)state;
	start_file(&one, false);
	hole = one.size;
	put_bytes(&one, "nobody's bytes", 14);
	put_object(&one, "x", "first");
	list = finish_file(&one);
	put_at(&one, list + key_bytes(&one, list) + 2, hole, 4);
	put_at(&one, list + key_bytes(&one, list) + 6, hole + 13, 4);
	blob = blob_of(&one);
	assert_int_equal(root_file_read(&file, &blob, MOST, &err), ROOT_READ);
	assert_int_equal(file.damage_at, 0);
	assert_int_equal(file.record_count, 4);
	assert_int_equal(file.gap_bytes, 14);
	root_file_release(&file);
}

/* Writers need not put records one behind the other. */
static void records_are_found_by_their_directory(void **state)
{
	struct node *node;
	size_t end, at;

	(void)state;
	make(&one, false, false);
	start_file(&other, false);
	put_object(&other, "x", "first");
	at = start_record(&other, "TObjString", "y", "title", 1, BEGIN);
	put_bytes(&other, "second", 6);
	finish_record(&other, at, 0);
	/* Behind the end that the header tells. */
	end = other.size;
	memmove(other.data + 20000, other.data + at, end - at);
	other.size = at;
	put_at(&other, 20000 + 18, 20000, 4);
	other.keys[other.key_count++] = 20000;
	finish_file(&other);
	other.size = 20000 + end - at;
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 5, 3, 0, 0, 0, 2);
	node_free(node);
}

static void what_no_directory_lists_is_not_the_same(void **state)
{
	struct node *node;

	(void)state;
	make(&one, false, false);
	start_file(&other, false);
	put_object(&other, "x", "first");
	put_object(&other, "y", "second");
	other.key_count--;
	finish_file(&other);
	node = compare(&one, &other);
	assert_non_null(node);
	assert_int_equal(node->level, LEVEL_DIFFERENT);
	assert_table(node, 6, 3, 2, 0, 0, 1);
	node_free(node);
}

/* Readers take names from there. */
static void what_the_list_says_counts(void **state)
{
	struct node *node;
	size_t list;

	(void)state;
	make(&one, false, false);
	make(&other, false, false);
	list = other.keys[1] + key_bytes(&other, other.keys[1]) + strlen("second");
	/* The name of the first entry: behind the count, the numbers, and the class. */
	list += key_bytes(&other, list) + 4 + 26 + 1 + strlen("TObjString") + 1;
	assert_int_equal(other.data[list], 'x');
	other.data[list] = 'z';
	node = compare(&one, &other);
	assert_non_null(node);
	assert_true(says(child(node, "x;1 (TObjString)"), "only in A"));
	assert_true(says(child(node, "z;1 (TObjString)"), "only in B"));
	node_free(node);
}

static void pages_of_rntuple_are_no_damage(void **state)
{
	struct node *node;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct maker *maker = i ? &other : &one;
		size_t at;

		start_file(maker, false);
		at = start_record(maker, "RBlob", "", "", 1, BEGIN);
		put_bytes(maker, i ? "packed" : "otherwise", i ? 6 : 9);
		finish_record(maker, at, 1000);
		finish_file(maker);
	}
	node = compare(&one, &other);
	assert_non_null(node);
	assert_table(node, 4, 3, 0, 1, 0, 0);
	node_free(node);
}

static size_t put_folder(struct maker *maker, const char *name, size_t parent, size_t *data)
{
	size_t at = start_record(maker, "TDirectory", name, "", 1, parent);

	*data = put_directory_data(maker, at);
	finish_record(maker, at, 0);
	return at;
}

static void directories_have_paths(void **state)
{
	struct node *node;
	size_t upper, lower, inner, upper_data, lower_data;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct maker *maker = i ? &other : &one;

		start_file(maker, false);
		upper = put_folder(maker, "upper", BEGIN, &upper_data);
		lower = put_folder(maker, "lower", upper, &lower_data);
		inner = put_object(maker, "x", i ? "this" : "that");
		maker->keys[0] = upper;
		put_keys(maker, &lower, 1, upper_data);
		put_keys(maker, &inner, 1, lower_data);
		finish_file(maker);
	}
	node = compare(&one, &other);
	assert_non_null(node);
	assert_non_null(child(node, "upper/lower/x;1 (TObjString)"));
	assert_non_null(child(node, "upper/lower/KeysList"));
	assert_true(child(node, "upper/lower;1 (TDirectory)")->ignored);
	assert_table(node, 8, 7, 0, 1, 0, 0);
	node_free(node);
}

static void directories_that_contain_themselves_end(void **state)
{
	struct root_file file;
	struct blob blob;
	struct error err;
	size_t data, folder;

	(void)state;
	start_file(&one, false);
	folder = put_folder(&one, "folder", BEGIN, &data);
	one.keys[one.key_count++] = folder;
	put_keys(&one, &folder, 1, data);
	finish_file(&one);
	blob = blob_of(&one);
	assert_int_equal(root_file_read(&file, &blob, MOST, &err), ROOT_READ);
	assert_int_equal(file.directory_count, 2);
	root_file_release(&file);
}

static void too_many_records_are_an_error(void **state)
{
	struct root_file file;
	struct blob blob;
	struct error err;

	(void)state;
	make(&one, false, false);
	blob = blob_of(&one);
	assert_int_equal(root_file_read(&file, &blob, 2, &err), ROOT_FAILED);
	assert_non_null(strstr(err.text, "more than 2 records"));
	root_file_release(&file);
}

static void texts_are_no_root_files(void **state)
{
	struct blob text = { .data = (const unsigned char *)"root:x:0:0:root:/root:/bin/sh\n" };

	(void)state;
	text.size = strlen((const char *)text.data);
	assert_false(root_is(&text));
}

static void damage_is_told(void **state)
{
	struct node *node;

	(void)state;
	make(&one, false, false);
	make(&other, false, false);
	other.size -= 10;
	node = compare(&one, &other);
	assert_non_null(node);
	assert_true(says(node, "damaged record at 0x"));
	assert_int_equal(node->level, LEVEL_DIFFERENT);
	node_free(node);
	make(&other, false, false);
	put_at(&other, BEGIN, 3, 4);
	assert_null(compare(&one, &other));
}

/* Payloads. */

static char text[1000];

static int make_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = "to be packed "[i % 13];
	return 0;
}

static size_t pack(const char *tag, const char *in, size_t size, unsigned char *out, size_t room)
{
	size_t packed = 0;

	if (strcmp(tag, "ZL") == 0) {
		uLongf bytes = room;

		assert_int_equal(compress(out, &bytes, (const Bytef *)in, size), Z_OK);
		packed = bytes;
	} else if (strcmp(tag, "CS") == 0) {
		z_stream stream = { .next_in = (z_const Bytef *)in,
			.avail_in = (uInt)size,
			.next_out = out,
			.avail_out = (uInt)room };

		assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, 0), Z_OK);
		assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
		packed = stream.total_out;
		deflateEnd(&stream);
	} else if (strcmp(tag, "XZ") == 0) {
		assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL,
					 (const uint8_t *)in, size, out, &packed, room),
			LZMA_OK);
	} else if (strcmp(tag, "ZS") == 0) {
		packed = ZSTD_compress(out, room, in, size, 1);
	} else {
		uint64_t sum;

		packed =
			(size_t)LZ4_compress_default(in, (char *)out + 8, (int)size, (int)room - 8);
		sum = XXH64(out + 8, packed, 0);
		for (int i = 0; i < 8; i++)
			out[i] = (unsigned char)(sum >> (56 - 8 * i));
		packed += 8;
	}
	return packed;
}

static void put_block(struct maker *maker, const char *tag, const char *in, size_t size)
{
	unsigned char packed[1024];
	size_t bytes = pack(tag, in, size, packed, sizeof(packed));

	put_bytes(maker, tag, 2);
	put(maker, 8, 1);
	for (int i = 0; i < 3; i++)
		put(maker, bytes >> 8 * i & 255, 1);
	for (int i = 0; i < 3; i++)
		put(maker, size >> 8 * i & 255, 1);
	put_bytes(maker, packed, bytes);
}

static size_t put_packed(struct maker *maker, const char *tag, const char *second)
{
	size_t half = sizeof(text) / 2, at;

	at = start_record(maker, "TObjString", "x", "title", 1, BEGIN);
	put_block(maker, tag, text, half);
	put_block(maker, second, text + half, sizeof(text) - half);
	finish_record(maker, at, sizeof(text));
	maker->keys[maker->key_count++] = at;
	return at;
}

static void payloads_are_compared_unpacked(void **state)
{
	static const char *const tags[] = { "ZL", "CS", "XZ", "L4", "ZS" };

	(void)state;
	start_file(&one, false);
	put_packed(&one, "ZL", "ZS");
	finish_file(&one);
	for (size_t i = 0; i < 5; i++) {
		struct node *node;

		start_file(&other, false);
		put_packed(&other, tags[i], tags[(i + 1) % 5]);
		finish_file(&other);
		node = compare(&one, &other);
		assert_non_null(node);
		assert_table(node, 4, 3, 0, 0, 1, 0);
		assert_true(says(child(node, "x;1 (TObjString)"), "packed differently"));
		node_free(node);
	}
}

static void damaged_payloads_are_told(void **state)
{
	static const char *const tags[] = { "ZL", "CS", "XZ", "L4", "ZS" };

	(void)state;
	start_file(&one, false);
	put_packed(&one, "ZL", "ZS");
	finish_file(&one);
	for (size_t i = 0; i < 5; i++) {
		struct node *node;
		size_t at;

		start_file(&other, false);
		at = put_packed(&other, tags[i], tags[i]);
		finish_file(&other);
		/* A size: what is unpacked has to fill the object. */
		other.data[at + key_bytes(&other, at) + 6] ^= 1;
		node = compare(&one, &other);
		assert_non_null(node);
		assert_true(says(child(node, "x;1 (TObjString)"), "cannot be unpacked in B"));
		assert_int_equal(node->level, LEVEL_DIFFERENT);
		node_free(node);
	}
}

static void checksums_of_lz4_are_checked(void **state)
{
	struct node *node;
	size_t at;

	(void)state;
	start_file(&one, false);
	at = put_packed(&one, "L4", "L4");
	finish_file(&one);
	other = one;
	other.data[at + key_bytes(&other, at) + 9] ^= 1;
	node = compare(&one, &other);
	assert_non_null(node);
	assert_true(says(child(node, "x;1 (TObjString)"), "cannot be unpacked in B"));
	node_free(node);
}

static void payloads_beyond_the_limit_are_named(void **state)
{
	struct diff_options options = { .memory = 600, .depth = 8, .members = MOST };
	struct node *node;

	(void)state;
	start_file(&one, false);
	put_packed(&one, "ZL", "ZS");
	finish_file(&one);
	start_file(&other, false);
	put_packed(&other, "ZS", "ZS");
	finish_file(&other);
	node = compare_with(&one, &other, &options);
	assert_non_null(node);
	assert_true(says(child(node, "x;1 (TObjString)"), "--memory-limit"));
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	node_free(node);
}

/* Under the sanitizers, too. */
static void no_damage_leads_anywhere(void **state)
{
	size_t inner, folder, data;

	(void)state;
	start_file(&one, false);
	folder = put_folder(&one, "folder", BEGIN, &data);
	inner = put_packed(&one, "ZL", "L4");
	put_keys(&one, &inner, 1, data);
	one.keys[0] = folder;
	finish_file(&one);
	for (size_t at = 0; at < one.size; at++) {
		static const unsigned char flips[] = { 0x01, 0x80, 0xff };

		for (size_t i = 0; i < 3; i++) {
			struct node *node;

			other = one;
			other.data[at] ^= flips[i];
			node = compare(&one, &other);
			if (node)
				assert_int_not_equal(node->level, LEVEL_BITS);
			node_free(node);
		}
		other = one;
		other.size = at;
		node_free(compare(&other, &one));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_those_of_root_diff),
		cmocka_unit_test(times_leave_the_content_equal),
		cmocka_unit_test(order_and_width_of_seeks_leave_the_content_equal),
		cmocka_unit_test(cycle_and_class_are_structure),
		cmocka_unit_test(several_of_one_name_are_matched_by_their_bytes),
		cmocka_unit_test(deleted_records_are_passed_over),
		cmocka_unit_test(what_only_the_free_list_knows_is_passed_over),
		cmocka_unit_test(records_are_found_by_their_directory),
		cmocka_unit_test(what_no_directory_lists_is_not_the_same),
		cmocka_unit_test(what_the_list_says_counts),
		cmocka_unit_test(pages_of_rntuple_are_no_damage),
		cmocka_unit_test(directories_have_paths),
		cmocka_unit_test(directories_that_contain_themselves_end),
		cmocka_unit_test(too_many_records_are_an_error),
		cmocka_unit_test(texts_are_no_root_files),
		cmocka_unit_test(damage_is_told),
		cmocka_unit_test(payloads_are_compared_unpacked),
		cmocka_unit_test(damaged_payloads_are_told),
		cmocka_unit_test(checksums_of_lz4_are_checked),
		cmocka_unit_test(payloads_beyond_the_limit_are_named),
		cmocka_unit_test(no_damage_leads_anywhere),
	};

	return cmocka_run_group_tests(tests, make_text, NULL);
}
