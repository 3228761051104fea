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

# Another run that makes the same copy, or prunes the cache, takes the names of copies in use away.
maps_stay_when() {
	local cache=$PWD/cache
	mkdir "$cache" work
	cd work || exit 1
	# shellcheck disable=SC2016
	XDG_CACHE_HOME=$cache "$STET" run -- bash -c 'mapfile -t a </proc/self/maps; echo >started
		until [ -e go ]; do sleep 0.01; done; mapfile -t b </proc/self/maps
		printf "%s\n" "${a[@]}" | grep r-xp >before; printf "%s\n" "${b[@]}" | grep r-xp >after' &
	for _ in $(seq 600); do
		[ -e started ] && break
		sleep 0.05
	done
	"$1" "$cache"/stet/code/*-*
	touch go
	wait $! || fail "status $?"
	grep -q libc before || fail "no libc in $(cat before)"
	cmp before after || fail "$(diff before after)"
}

replace_copies() {
	local copy
	for copy; do
		cp "$copy" "$copy.other" && mv "$copy.other" "$copy"
	done
}

test_maps_stay_when_copies_of_code_are_replaced() {
	maps_stay_when replace_copies
}

test_maps_stay_when_copies_of_code_are_pruned() {
	maps_stay_when rm
}
