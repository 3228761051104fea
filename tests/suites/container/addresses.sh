# Addresses do not depend on what the caller's kernel and limits say. Sourced.
# shellcheck shell=bash disable=SC2154,SC2034

# Prints where a dynamic program and a child of it have what they have.
build_shower() {
	cat >show.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/auxv.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			printf("%p %p %p %p\n", (void *)main, (void *)argv, (void *)&argc, malloc(1));
			printf("%p %p %p\n", malloc(1 << 20), (void *)printf, (void *)getauxval(AT_RANDOM));
			printf("%s %s\n", argv[0], (char *)getauxval(AT_EXECFN));
			fflush(stdout);
			return argc > 1 ? execv("/proc/self/exe", (char *[]){ "again", NULL }) : 0;
		}
	END
	cc -o show show.c || skip "no compiler"
	cc -static -o show_static show.c || skip "no static library"
}

everywhere() {
	timeout -k 5 60 "$@" "$STET" run -- sh -c './show x; ./show_static x' 2>&1
}

test_addresses_are_the_same_with_and_without_randomisation() {
	local first
	build_shower
	first=$(everywhere env)
	[ "$(wc -l <<<"$first")" = 12 ] || fail "printed '$first'"
	[ "$(everywhere setarch -R)" = "$first" ] || fail "another layout without randomisation"
	[ "$(everywhere env A="$(head -c 3000 /dev/zero | tr '\0' x)")" = "$first" ] ||
		fail "another layout in another environment"
}

test_addresses_are_the_same_where_randomisation_cannot_be_switched_off() {
	local first other
	build_shower
	first=$(everywhere env)
	other=$(everywhere "$(dirname "$here")/../lib/without_personality.py")
	[ "$other" = "$first" ] || fail "$(diff <(echo "$first") <(echo "$other"))"
}
