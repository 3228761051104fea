/* A library for dlopen_and_close.c: its constructor and destructor tell, its function makes a
 * system call. */
#include <stdio.h>
#include <unistd.h>

int plugin_answer(int number);

static _Thread_local int calls;

__attribute__((constructor)) static void loaded(void)
{
	puts("plugin: loaded");
}

__attribute__((destructor)) static void unloaded(void)
{
	puts("plugin: unloaded");
}

int plugin_answer(int number)
{
	calls++;
	return getppid() > 0 ? number * 2 + calls : -1;
}
