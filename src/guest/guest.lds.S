/* The guest's image: two segments, so that the kernel maps it with two calls at each exec. The page
 * behind the headers holds every real `syscall` instruction; the filter knows it by its address. */
#include "arena/addresses.h"
OUTPUT_FORMAT("elf64-x86-64")
ENTRY(guest_start)

PHDRS
{
	code PT_LOAD FILEHDR PHDRS FLAGS(5);
	data PT_LOAD FLAGS(6);
	stack PT_GNU_STACK FLAGS(6);
}

SECTIONS
{
	. = GUEST_ADDRESS + SIZEOF_HEADERS;
	. = ALIGN(0x1000);
	guest_stub_page = .;
	.stub : { *(.stub) . = ALIGN(0x1000); } :code
	guest_stub_end = .;
	ASSERT(guest_stub_page == GUEST_STUB_START && guest_stub_end == GUEST_STUB_END,
	"the filter knows one page")
	.text : { *(.text .text.*) } :code
	.rodata : { *(.rodata .rodata.*) } :code
	guest_code_end = .;
	. = ALIGN(0x1000);
	.data : { *(.data.rel.ro*) . = ALIGN(0x1000); *(.data .data.*) *(.bss.hot) } :data
	.bss : { *(.bss .bss.* COMMON) } :data
	guest_end = ALIGN(0x1000);
	/DISCARD/ : { *(.comment) *(.note*) *(.eh_frame*) }
}
