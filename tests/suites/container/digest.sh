# --digest: one run, one number.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

# The digest that a run prints; its output goes nowhere.
digest() {
	"$STET" run --digest "$@" 2>&1 >/dev/null </dev/null | sed -n 's/^stet: digest sha256://p' | grep -x '[0-9a-f]\{64\}' ||
		fail "no digest of: $*"
}

# same A B, differs A B: compare two digests.
same() {
	[ -n "$1" ] && [ "$1" = "$2" ] || fail "'$1' and '$2' differ"
}
differs() {
	[ -n "$1" ] && [ -n "$2" ] && [ "$1" != "$2" ] || fail "'$1' twice"
}

in_new() {
	rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit
	shift
	"$@"
}

work='echo out; echo err >&2; echo new >made; mkdir -p sub/dir; ln -s made link; chmod 600 made
	echo kept >/tmp/kept; : >/var/tmp/gone; rm /var/tmp/gone; exit 3'

test_digest_is_printed_and_the_status_kept() {
	run_strict --digest -- sh -c 'exit 9'
	status_is 9
	says digest sha256:
}

test_digest_does_not_depend_on_the_place() {
	local first
	first=$(in_new here digest -- sh -c "$work") || exit
	same "$first" "$(in_new there/and/further digest -- sh -c "$work")"
	mkdir -m 700 secret
	same "$first" "$(cd secret && umask 077 && FOO=1 TZ=CET digest -- sh -c "$work")"
	same "$first" "$(in_new cold env XDG_CACHE_HOME="$PWD/cache" "$STET" run --digest -- sh -c "$work" 2>&1 >/dev/null |
		sed -n 's/.*sha256://p')"
}

test_digest_is_the_same_for_root_and_others() {
	local first
	is_root || skip "only root can become somebody else"
	mkdir "$TMPDIR/by-nobody" && cp -L "$STET" "$TMPDIR/stet" && chmod 755 "$TMPDIR/stet"
	chown 65534:65534 "$TMPDIR/by-nobody"
	first=$(in_new mine digest -- sh -c "$work") || exit
	out=$(cd "$TMPDIR/by-nobody" && setpriv --reuid 65534 --regid 65534 --clear-groups \
		env -u XDG_CACHE_HOME HOME=/nonexistent "$TMPDIR/stet" run --digest -- sh -c "$work" 2>&1 >/dev/null)
	rm -rf "$TMPDIR/by-nobody" "$TMPDIR/stet"
	case $out in *"cannot execute"* | *Permission*) skip "others cannot get there" ;; esac
	same "$first" "$(printf '%s\n' "$out" | sed -n 's/^stet: digest sha256://p')"
}

# What another user runs is rewritten as well, wherever that is kept: else it would see this processor.
test_digest_of_what_another_user_runs_needs_no_cache() {
	local first said cache other="setpriv --reuid 1234 --regid 1234 --clear-groups sh -c"
	local look='ls -l /proc/self/fd; perl -e "print rand, time"'
	is_root || skip "only root can become somebody else"
	first=$(in_new here digest -- $other "$look") || exit
	mkdir -m 700 closed closed/stet closed/stet/code
	for cache in /dev/null "$PWD/closed"; do
		said=$(in_new "without$RANDOM" env XDG_CACHE_HOME="$cache" "$STET" run --digest --stats -- \
			$other "$look" 2>&1 >/dev/null)
		same "$first" "$(printf '%s\n' "$said" | sed -n 's/.*sha256://p')"
		case $said in *"system calls, 100.00 %"*) ;; *) fail "$cache: $said" ;; esac
	done
}

test_digest_covers_status_output_and_files() {
	local first what
	first=$(in_new plain digest -- sh -c 'exit 3') || exit
	for what in 'exit 4' 'echo x; exit 3' 'echo x >&2; exit 3' 'echo x >file; exit 3' \
		': >/var/tmp/x; exit 3' 'rm /etc/passwd; exit 3' 'mkdir sub; exit 3'; do
		differs "$first" "$(in_new plain digest -- sh -c "$what")"
	done
	differs "$(in_new plain digest -- sh -c 'echo x')" "$(in_new plain digest -- sh -c 'echo x >&2')"
}

test_digest_covers_what_files_are() {
	local first what
	first=$(in_new plain digest -- sh -c 'echo x >f') || exit
	for what in 'echo y >f' 'echo x >g' 'echo x >f; chmod 600 f' 'ln -s x f' 'mkfifo f' 'mkdir f'; do
		differs "$first" "$(in_new plain digest -- sh -c "$what")"
	done
	differs "$first" "$(in_new plain digest -- sh -c 'sleep 1; echo x >f')"
}

test_digest_does_not_cover_times_of_files_that_stay() {
	mkdir one two && echo x >one/f && echo x >two/f
	touch -d '2001-02-03' one/f
	same "$(cd one && digest -- cat f)" "$(cd two && digest -- cat f)"
}

test_digest_does_not_depend_on_how_outputs_mix() {
	local first
	first=$(digest -- sh -c 'echo a; echo b >&2') || exit
	same "$first" "$("$STET" run --digest -- sh -c 'echo a; echo b >&2' 2>&1 | sed -n 's/^stet: digest sha256://p')"
	same "$first" "$(digest -- sh -c 'echo b >&2; echo a')"
}

test_digest_leaves_out_files_of_stets_own() {
	local first
	first=$(in_new plain digest -- sh -c 'echo x') || exit
	(cd plain && "$STET" run --digest --log events --save saved -- sh -c 'echo x' >out 2>err) || fail "$(cat plain/err)"
	same "$first" "$(sed -n 's/^stet: digest sha256://p' plain/err)"
}

test_digest_does_not_depend_on_mount_order() {
	local one two
	mkdir a b && echo 1 >a/1 && echo 2 >b/2
	one=$(digest --mount "$PWD/a:/x" --mount "$PWD/b:/y/z" -- true) || exit
	two=$(digest --mount "$PWD/b:/y/z" --mount "$PWD/a:/x" -- true)
	same "$one" "$two"
	differs "$one" "$(digest --mount "$PWD/b:/x" --mount "$PWD/a:/y/z" -- true)"
}

test_digest_is_not_given_for_runs_that_were_cut() {
	run_strict --relax time --digest --timeout 0.5 -- sleep 100
	status_is 124
	case $err in *"no digest"*timeout*) ;; *) fail "$err" ;; esac
	"$STET" run --digest -- yes 2>err | head -n 1 >first
	grep -q "no digest.*output" err || fail "$(cat err)"
}
