/* The guest's ELF file, as the build made it; STET_GUEST_ELF is its path. */
	.section .rodata
	.balign 16
	.globl guest_image, guest_image_size
	.type guest_image, @object
	.type guest_image_size, @object
guest_image:
	.incbin STET_GUEST_ELF
1:
	.size guest_image, . - guest_image
	.balign 8
guest_image_size:
	.quad 1b - guest_image
	.size guest_image_size, 8
	.section .note.GNU-stack, "", @progbits
