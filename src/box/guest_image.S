/* The guest's ELF file, as the build made it; STET_GUEST_ELF is its path. */
	.section .rodata
	.balign 16
	.globl guest_image
	.globl guest_image_end
	.type guest_image, @object
guest_image:
	.incbin STET_GUEST_ELF
guest_image_end:
	.size guest_image, . - guest_image
	.section .note.GNU-stack, "", @progbits
