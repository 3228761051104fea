/* The style sheet and the script of the page, as they are; STET_PAGE_STYLE and STET_PAGE_SCRIPT are
 * their paths. */
	.macro part name, path
	.globl \name, \name\()_size
	.type \name, @object
	.type \name\()_size, @object
\name:
	.incbin "\path"
1:
	.size \name, . - \name
	.balign 8
\name\()_size:
	.quad 1b - \name
	.size \name\()_size, 8
	.endm

	.section .rodata
	part page_style, STET_PAGE_STYLE
	part page_script, STET_PAGE_SCRIPT
	.section .note.GNU-stack, "", @progbits
