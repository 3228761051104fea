#include "diff/elf_names.h"

#include <elf.h>
#include <stddef.h>

struct name {
	uint64_t number;
	const char *name;
};
#define NAME(prefix, what)                                                                         \
	{                                                                                          \
		prefix##what, #what                                                                \
	}

static const char *find(const struct name *names, size_t count, uint64_t number)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}
#define FIND(names, number) find(names, sizeof(names) / sizeof((names)[0]), number)

const char *elf_segment_type(uint32_t type)
{
	static const struct name names[] = { NAME(PT_, NULL), NAME(PT_, LOAD), NAME(PT_, DYNAMIC),
		NAME(PT_, INTERP), NAME(PT_, NOTE), NAME(PT_, PHDR), NAME(PT_, TLS),
		NAME(PT_, GNU_EH_FRAME), NAME(PT_, GNU_STACK), NAME(PT_, GNU_RELRO),
		NAME(PT_, GNU_PROPERTY) };
	const char *name = FIND(names, type);

	return name ? name : "other";
}

const char *elf_file_type(unsigned type)
{
	static const struct name names[] = { { ET_REL, "object file" }, { ET_EXEC, "program" },
		{ ET_DYN, "library or movable program" }, { ET_CORE, "core" } };
	const char *name = FIND(names, type);

	return name ? name : "other";
}

const char *elf_dynamic_tag(uint64_t tag)
{
	static const struct name names[] = { NAME(DT_, NULL), NAME(DT_, NEEDED),
		NAME(DT_, PLTRELSZ), NAME(DT_, PLTGOT), NAME(DT_, HASH), NAME(DT_, STRTAB),
		NAME(DT_, SYMTAB), NAME(DT_, RELA), NAME(DT_, RELASZ), NAME(DT_, RELAENT),
		NAME(DT_, STRSZ), NAME(DT_, SYMENT), NAME(DT_, INIT), NAME(DT_, FINI),
		NAME(DT_, SONAME), NAME(DT_, RPATH), NAME(DT_, SYMBOLIC), NAME(DT_, REL),
		NAME(DT_, RELSZ), NAME(DT_, RELENT), NAME(DT_, PLTREL), NAME(DT_, DEBUG),
		NAME(DT_, TEXTREL), NAME(DT_, JMPREL), NAME(DT_, BIND_NOW), NAME(DT_, INIT_ARRAY),
		NAME(DT_, FINI_ARRAY), NAME(DT_, INIT_ARRAYSZ), NAME(DT_, FINI_ARRAYSZ),
		NAME(DT_, RUNPATH), NAME(DT_, FLAGS), NAME(DT_, PREINIT_ARRAY),
		NAME(DT_, PREINIT_ARRAYSZ), NAME(DT_, FLAGS_1), NAME(DT_, GNU_HASH),
		NAME(DT_, VERSYM), NAME(DT_, VERDEF), NAME(DT_, VERDEFNUM), NAME(DT_, VERNEED),
		NAME(DT_, VERNEEDNUM), NAME(DT_, RELACOUNT), NAME(DT_, RELCOUNT) };

	return FIND(names, tag);
}

bool elf_dynamic_is_text(uint64_t tag)
{
	return tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH;
}

const char *elf_x86_64_relocation(uint32_t type)
{
	static const struct name names[] = { NAME(R_X86_64_, NONE), NAME(R_X86_64_, 64),
		NAME(R_X86_64_, PC32), NAME(R_X86_64_, GOT32), NAME(R_X86_64_, PLT32),
		NAME(R_X86_64_, COPY), NAME(R_X86_64_, GLOB_DAT), NAME(R_X86_64_, JUMP_SLOT),
		NAME(R_X86_64_, RELATIVE), NAME(R_X86_64_, GOTPCREL), NAME(R_X86_64_, 32),
		NAME(R_X86_64_, 32S), NAME(R_X86_64_, 16), NAME(R_X86_64_, PC16),
		NAME(R_X86_64_, 8), NAME(R_X86_64_, PC8), NAME(R_X86_64_, DTPMOD64),
		NAME(R_X86_64_, DTPOFF64), NAME(R_X86_64_, TPOFF64), NAME(R_X86_64_, TLSGD),
		NAME(R_X86_64_, TLSLD), NAME(R_X86_64_, DTPOFF32), NAME(R_X86_64_, GOTTPOFF),
		NAME(R_X86_64_, TPOFF32), NAME(R_X86_64_, PC64), NAME(R_X86_64_, GOTPC32),
		NAME(R_X86_64_, IRELATIVE), NAME(R_X86_64_, GOTPCRELX),
		NAME(R_X86_64_, REX_GOTPCRELX) };

	return FIND(names, type);
}
