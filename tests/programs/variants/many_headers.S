/* An ELF file with 70 program headers, laid out by hand; linked with --oformat=binary at BASE. */
#define BASE	0x10000000
#define HEADERS 70

	.globl _start
file:
	.byte 0x7f, 'E', 'L', 'F', 2, 1, 1, 0
	.quad 0
	.short 2, 62				/* ET_EXEC, EM_X86_64 */
	.long 1
	.quad BASE + (_start - file)
	.quad headers - file, 0			/* no sections */
	.long 0
	.short headers - file, 56, HEADERS, 0, 0, 0
headers:
	.rept HEADERS - 1
	.long 4, 4				/* PT_NOTE, empty */
	.quad 0, 0, 0, 0, 0, 4
	.endr
	.long 1, 5				/* PT_LOAD, the whole file */
	.quad 0, BASE, BASE, end - file, end - file, 4096
_start:
	movl $1, %eax
	movl $1, %edi
	leaq text(%rip), %rsi
	movl $5, %edx
	syscall
	movl $60, %eax
	xorl %edi, %edi
	syscall
text:
	.ascii "good\n"
end:
	.section .note.GNU-stack,"",@progbits
