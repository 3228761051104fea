#include "diff/elf_unpack.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define CHUNK	     (64u << 10)
#define ZSTD_PACKING 2	/* ELFCOMPRESS_ZSTD, which some elf.h lack */
#define OLD_HEADER   12 /* "ZLIB" and a size of eight bytes, big-endian, whatever the file is */

/* How a section is packed, and what should come out. */
struct packing {
	uint32_t type; /* of its header; 0: none */
	uint64_t size;
	struct blob bytes;
};

static struct packing find_packing(const struct elf *elf, const struct elf_section *section)
{
	const struct blob *bytes = &section->bytes;
	unsigned header = elf->wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);

	if (section->flags & SHF_COMPRESSED && bytes->size >= header)
		return (struct packing){ (uint32_t)elf_number(elf, bytes, 0, 4),
			elf_word(elf, bytes, elf->wide ? 8 : 4),
			blob_part(bytes, header, UINT64_MAX, NULL) };
	if (strncmp(section->name, ".zdebug", 7) == 0 && blob_has(bytes, 0, "ZLIB", 4))
		return (struct packing){ ELFCOMPRESS_ZLIB, blob_be(bytes, 4, 8),
			blob_part(bytes, OLD_HEADER, UINT64_MAX, NULL) };
	return (struct packing){ 0 };
}

enum step { STEP_MORE, STEP_END, STEP_DAMAGED, STEP_FAILED };

static enum step write_step(struct blob_writer *writer, const struct packing *packing,
	const void *out, size_t bytes, struct error *err)
{
	if (bytes > packing->size - writer->size)
		return STEP_DAMAGED;
	return blob_write(writer, out, bytes, err) ? STEP_FAILED : STEP_MORE;
}

static enum step inflate_all(struct blob_writer *writer, const struct packing *packing,
	unsigned char *out, struct error *err)
{
	z_stream stream = { .next_in = (z_const Bytef *)packing->bytes.data };
	uint64_t left = packing->bytes.size;
	enum step step = STEP_MORE;

	if (inflateInit(&stream) != Z_OK)
		return STEP_DAMAGED;
	while (step == STEP_MORE) {
		uInt in = (uInt)(left < CHUNK ? left : CHUNK);
		int result;

		stream.avail_in = in;
		stream.next_out = out;
		stream.avail_out = CHUNK;
		result = inflate(&stream, Z_NO_FLUSH);
		left -= in - stream.avail_in;
		if (result != Z_OK && result != Z_STREAM_END)
			step = STEP_DAMAGED;
		else
			step = write_step(writer, packing, out, CHUNK - stream.avail_out, err);
		if (step == STEP_MORE && result == Z_STREAM_END)
			step = STEP_END;
	}
	inflateEnd(&stream);
	return step;
}

static enum step unzstd_all(struct blob_writer *writer, const struct packing *packing,
	unsigned char *out, struct error *err)
{
	ZSTD_inBuffer in = { packing->bytes.data, packing->bytes.size, 0 };
	ZSTD_DStream *stream = ZSTD_createDStream();
	enum step step = stream ? STEP_MORE : STEP_DAMAGED;

	while (step == STEP_MORE) {
		ZSTD_outBuffer to = { out, CHUNK, 0 };
		size_t before = in.pos, hint = ZSTD_decompressStream(stream, &to, &in);

		if (ZSTD_isError(hint) || (!to.pos && in.pos == before && hint))
			step = STEP_DAMAGED;
		else
			step = write_step(writer, packing, out, to.pos, err);
		if (step == STEP_MORE && !hint)
			step = STEP_END;
	}
	ZSTD_freeDStream(stream);
	return step;
}

static int unpack(struct elf_unpacked *unpacked, const struct packing *packing,
	struct budget *budget, struct error *err)
{
	bool is_zstd = packing->type == ZSTD_PACKING;
	unsigned char out[CHUNK];
	struct blob_writer writer;
	enum step step;

	blob_write_start(&writer, budget);
	step = is_zstd ? unzstd_all(&writer, packing, out, err)
		       : inflate_all(&writer, packing, out, err);
	if (step == STEP_END && writer.size == packing->size) {
		if (blob_write_finish(&writer, &unpacked->blob, NULL, err))
			return -1;
		unpacked->packing = is_zstd ? "zstd" : "zlib";
		return 0;
	}
	blob_write_cancel(&writer);
	return step == STEP_FAILED ? -1 : 0;
}

int elf_unpack(struct elf_unpacked *unpacked, const struct elf *elf,
	const struct elf_section *section, struct budget *budget, struct error *err)
{
	const struct packing packing = find_packing(elf, section);

	*unpacked = (struct elf_unpacked){ .blob = section->bytes };
	if (packing.type != ELFCOMPRESS_ZLIB && packing.type != ZSTD_PACKING)
		return 0;
	return unpack(unpacked, &packing, budget, err);
}

void elf_unpack_close(struct elf_unpacked *unpacked, struct budget *budget)
{
	if (unpacked->packing)
		blob_unpacked_close(&unpacked->blob, budget);
}
