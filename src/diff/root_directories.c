#include "diff/root_parts.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define WIDE_VERSION 1000 /* versions above it have seeks of eight bytes */
#define PLACES	     18	  /* of a directory: version, two times, two sizes, before the seeks */

/* The directories of one file, while they are found. */
struct finder {
	struct root_file *file;
	uint64_t most; /* records, and entries of lists */
	uint64_t entries;
	size_t scanned; /* records that were found one behind the other: in order */
	void *seen;	/* places of directories, for those that contain themselves */
	struct error *err;
};

static int out_of_memory(struct finder *finder)
{
	return error_set(finder->err, ENOMEM, "cannot list the directories of a ROOT file");
}

static int by_number(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* 1: it was seen before; -1 without memory. */
static int see(struct finder *finder, uint64_t at)
{
	uint64_t *place = malloc(sizeof(*place)), **found;

	if (!place)
		return out_of_memory(finder);
	*place = at;
	found = tsearch(place, &finder->seen, by_number);
	if (found && *found == place)
		return 0;
	free(place);
	return found ? 1 : out_of_memory(finder);
}

static struct root_directory *add_directory(struct finder *finder)
{
	struct root_file *file = finder->file;

	if (file->directory_count == file->directory_room) {
		size_t room = file->directory_room ? 2 * file->directory_room : 16;
		struct root_directory *all = reallocarray(file->directories, room, sizeof(*all));

		if (!all)
			return NULL;
		file->directories = all;
		file->directory_room = room;
	}
	return &file->directories[file->directory_count++];
}

/* A directory whose own data are at `data`. */
static int enter_directory(struct finder *finder, uint64_t at, uint64_t data, uint32_t parent,
	const struct root_text *name)
{
	const struct blob *blob = finder->file->blob;
	int seen = see(finder, at);
	bool wide = blob_be(blob, data, 2) > WIDE_VERSION;
	uint64_t next = data + PLACES;
	struct root_directory *directory;

	if (seen)
		return seen < 0 ? -1 : 0;
	directory = add_directory(finder);
	if (!directory)
		return out_of_memory(finder);
	*directory = (struct root_directory){ .at = at, .parent = parent, .name = *name };
	directory->created = (uint32_t)blob_be(blob, data + 2, 4);
	directory->modified = (uint32_t)blob_be(blob, data + 6, 4);
	root_seek_read(blob, &next, wide); /* its own, and its parent's */
	root_seek_read(blob, &next, wide);
	directory->keys_at = root_seek_read(blob, &next, wide);
	return 0;
}

/* Only those that were there before the search, which are in order. */
static struct root_record *find_scanned(const struct finder *finder, uint64_t at)
{
	struct root_file scanned = *finder->file;

	scanned.record_count = finder->scanned;
	return root_file_find(&scanned, at);
}

static bool is_directory(const struct root_key *key)
{
	return root_text_is(&key->class, "TDirectory") ||
	       root_text_is(&key->class, "TDirectoryFile");
}

static void note_damage(struct root_file *file, uint64_t at)
{
	if (!file->damage_at)
		file->damage_at = at;
}

/* The record that a list has an entry for; 1: there is none. */
static int find_listed(struct finder *finder, uint64_t at, struct root_record **found)
{
	struct root_file *file = finder->file;
	struct root_key key;

	*found = find_scanned(finder, at);
	if (*found)
		return 0;
	if (at < file->begin || !root_key_read(file->blob, at, &key) ||
		key.bytes > file->blob->size - at) {
		note_damage(file, at);
		return 1;
	}
	*found = root_file_add(file, at, finder->most, finder->err);
	if (!*found)
		return -1;
	(*found)->key = key;
	return 0;
}

/* Readers believe the list, and not the record that it stands for. */
static void believe(
	struct root_file *file, struct root_record *record, const struct root_key *entry)
{
	struct root_key *key = &record->key;

	if (key->bytes != entry->bytes || key->object_bytes != entry->object_bytes ||
		key->key_bytes != entry->key_bytes)
		note_damage(file, record->at);
	key->class = entry->class;
	key->name = entry->name;
	key->title = entry->title;
	key->cycle = entry->cycle;
}

static int take_entry(struct finder *finder, uint32_t directory, const struct root_key *entry)
{
	struct root_record *record;
	int result = find_listed(finder, entry->seek, &record);

	if (result)
		return result < 0 ? -1 : 0;
	believe(finder->file, record, entry);
	record->listed = true;
	record->directory = directory;
	if (!is_directory(&record->key))
		return 0;
	record->kind = ROOT_DIRECTORY;
	return enter_directory(finder, record->at, record->at + record->key.key_bytes, directory,
		&record->key.name);
}

static int read_list(struct finder *finder, uint32_t index)
{
	const struct blob *blob = finder->file->blob;
	uint64_t at = finder->file->directories[index].keys_at, end, count;
	struct root_key key;

	if (!at)
		return 0;
	if (!root_key_read(blob, at, &key) || key.bytes > blob->size - at) {
		note_damage(finder->file, at);
		return 0;
	}
	end = at + key.bytes;
	at += key.key_bytes;
	count = end - at >= 4 ? blob_be(blob, at, 4) : 0;
	at += 4;
	for (uint64_t i = 0; i < count; i++) {
		if (at >= end || !root_key_read(blob, at, &key)) {
			note_damage(finder->file, at);
			return 0;
		}
		if (++finder->entries > finder->most)
			return error_set(finder->err, 0,
				"a ROOT file's directories list more than %llu objects",
				(unsigned long long)finder->most);
		if (take_entry(finder, index, &key))
			return -1;
		at += key.text_end;
	}
	return 0;
}

/* The first record has the top directory's data behind the file's name and title. */
static int find_directories(struct finder *finder)
{
	struct root_file *file = finder->file;
	const struct root_record *first = &file->records[0];
	uint64_t data = first->at + first->key.key_bytes;
	uint64_t end = first->at + first->key.bytes;
	const struct root_text name = { "", 0 };
	struct root_text ignored;

	for (int i = 0; i < 2; i++)
		if (!root_text_read(file->blob, &data, end, &ignored))
			note_damage(file, first->at);
	if (enter_directory(finder, first->at, data, 0, &name))
		return -1;
	for (uint32_t i = 0; i < file->directory_count; i++)
		if (read_list(finder, i))
			return -1;
	return 0;
}

struct place {
	uint64_t at;
	uint32_t directory;
};

/* Places of directories, or of their lists, in order. */
static struct place *sort_places(const struct root_file *file, bool of_lists)
{
	struct place *places = calloc(file->directory_count, sizeof(*places));

	if (!places)
		return NULL;
	for (uint32_t i = 0; i < file->directory_count; i++) {
		const struct root_directory *directory = &file->directories[i];

		places[i] = (struct place){ of_lists ? directory->keys_at : directory->at, i };
	}
	qsort(places, file->directory_count, sizeof(*places), by_number);
	return places;
}

static const struct place *find_place(
	const struct root_file *file, const struct place *places, uint64_t at)
{
	return bsearch(&at, places, file->directory_count, sizeof(*places), by_number);
}

/* What a directory lists is an object, wherever the header says that other things are. */
static void assign(struct root_file *file, struct root_record *record, const struct place *lists,
	const struct place *directories)
{
	const struct place *list = find_place(file, lists, record->at);
	const struct place *directory = find_place(file, directories, record->key.directory);

	if (record->at == file->begin) {
		record->kind = ROOT_FILE;
	} else if (record->listed) {
		return;
	} else if (record->at == file->free_at) {
		record->kind = ROOT_FREE;
	} else if (record->at == file->streamers_at) {
		record->kind = ROOT_STREAMERS;
	} else if (list) {
		record->kind = ROOT_KEYS;
		record->directory = list->directory;
	} else if (directory) {
		record->directory = directory->directory;
	}
}

static int assign_all(struct finder *finder)
{
	struct root_file *file = finder->file;
	cleanup_free struct place *lists = sort_places(file, true);
	cleanup_free struct place *directories = sort_places(file, false);

	if (!lists || !directories)
		return out_of_memory(finder);
	for (size_t i = 0; i < file->record_count; i++)
		assign(file, &file->records[i], lists, directories);
	return 0;
}

int root_directories_read(struct root_file *file, uint64_t most, struct error *err)
{
	struct finder finder = {
		.file = file, .most = most, .scanned = file->record_count, .err = err
	};
	int failed = find_directories(&finder) || assign_all(&finder) ? -1 : 0;

	tdestroy(finder.seen, free);
	return failed;
}

struct identity {
	uint32_t parent; /* identity of the parent */
	struct root_text name;
	uint32_t number;
};

static int by_path(const void *a, const void *b)
{
	const struct identity *one = a, *other = b;

	if (one->parent != other->parent)
		return one->parent > other->parent ? 1 : -1;
	return root_text_order(&one->name, &other->name);
}

static int identify(struct root_file *file, void **known, uint32_t *count)
{
	for (size_t i = 0; i < file->directory_count; i++) {
		struct root_directory *directory = &file->directories[i];
		struct identity *identity = malloc(sizeof(*identity)), **found = NULL;

		if (identity) {
			*identity = (struct identity){ 0, directory->name, *count };
			if (i)
				identity->parent =
					file->directories[directory->parent].identity + 1;
			found = tsearch(identity, known, by_path);
		}
		if (found)
			directory->identity = (*found)->number;
		if (!found || *found != identity)
			free(identity);
		else
			++*count;
		if (!found)
			return -1;
	}
	return 0;
}

int root_directories_identify(struct root_file *a, struct root_file *b)
{
	void *known = NULL;
	uint32_t count = 0;
	int failed = identify(a, &known, &count) || identify(b, &known, &count) ? -1 : 0;

	tdestroy(known, free);
	return failed;
}
