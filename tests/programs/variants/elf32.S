/* A 32-bit program that says hello and ends with status 0: Stet must refuse it. */
	.globl _start
_start:
	movl $4, %eax
	movl $1, %ebx
	movl $text, %ecx
	movl $6, %edx
	int $0x80
	movl $1, %eax
	xorl %ebx, %ebx
	int $0x80
text:
	.ascii "hello\n"
	.section .note.GNU-stack,"",@progbits
