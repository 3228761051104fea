/* Requests to devices and files whose answers are the host's. */
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/storage.h"

long handle_ioctl(struct thread *self)
{
	switch (file_of(self, (uint32_t)argument(self, 0))->kind) {
	case FILE_REGULAR:
	case FILE_DIRECTORY:
		return storage_ioctl(self);
	default:
		return pass_on(self);
	}
}
