# Options of `stet run`, and what bad ones are told.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

test_version_is_printed() {
	[ "$("$STET" --version)" != "" ] || fail "nothing printed"
	case $("$STET" --version) in "stet "[0-9]*) ;; *) fail "$("$STET" --version)" ;; esac
}

test_help_lists_subcommands_and_options() {
	"$STET" --help | grep -q '^ *run ' || fail "stet --help does not list run"
	"$STET" run --help | grep -q -- --workdir || fail "stet run --help does not list --workdir"
}

test_bad_usage_is_one_line_and_125() {
	err=$("$STET" 2>&1) && fail "no error without a subcommand"
	"$STET" nonsense 2>err && fail "no error"
	[ "$("$STET" nonsense >/dev/null 2>&1; echo $?)" = 125 ] || fail "status is not 125"
	grep -q "^stet: .*nonsense" err || fail "$(cat err)"
	run
	refuses command
	run --nonsense -- true
	refuses --nonsense
	run -Z -- true
	refuses -Z
	run --hostname
	refuses --hostname value
	run --tty=yes -- true
	refuses --tty
}

test_bad_values_are_explained() {
	run --timeout soon -- true
	refuses --timeout soon seconds
	run --timeout -1 -- true
	refuses --timeout
	run --timeout nan -- true
	refuses --timeout
	run --user root -- true
	refuses --user UID
	run --user 1: -- true
	refuses --user
	run --user 4294967295 -- true
	refuses --user
	run --net bridge -- true
	refuses --net loopback
	run --hostname 'a b' -- true
	refuses --hostname
	run --hostname '' -- true
	refuses --hostname
	run --env =x -- true
	refuses --env NAME
	run --relax time,speed -- true
	refuses speed dirents
	run --workdir relative -- true
	refuses --workdir absolute
	run --stdin /no/such/file -- true
	refuses /no/such/file
	run --log /no/such/dir/log -- true
	refuses /no/such/dir/log
}

# Each value is refused in one line, which names the option, and nothing runs.
bad_values_of() {
	local option=$1 value
	shift
	for value; do
		run_strict "$option" "$value" -- touch ran
		refuses "$option"
		[ ! -e ran ] || fail "ran with $option '$value'"
	done
}

test_bad_machines_are_refused() {
	local huge
	huge=$(head -c 100000 /dev/zero | tr '\0' 9)
	bad_values_of --cpu '' v2 x86-64-v4 i386 "$huge"
	bad_values_of --cpus '' 0 -1 1025 1.5 two 18446744073709551617 "$huge"
	bad_values_of --memory '' 0 -1 1M 65T 4X 1.5G G 99999999999999999999 "$huge"
	bad_values_of --kernel '' 5 a.b -5.10 '5.10 x' $'5.10\n' $'5.10\001' "$huge"
	bad_values_of --seed '' -1 0x10 1e3 18446744073709551616 "$huge"
	bad_values_of --timers '' soon "$huge"
	bad_values_of --net '' all "$huge"
	bad_values_of --relax '' ' , ' all,most "$huge"
	bad_values_of --hostname '' "$huge" $'a\nb'
	bad_values_of --user '' -1 0:-1 4294967295 "$huge"
}

test_bad_times_are_refused() {
	bad_values_of --time '' warp: warp:0 warp:-1 warp:nan warp:1e9 warp:x stopped "$(seq 10000)"
	bad_values_of --epoch '' now @ @x @0 @-1 @1.x @7258118400 1969-12-31 2200-01-01 1993 1993-13-01 \
		1993-02-31 1993-08-08T25:00 '1993-08-08 22:00:00 PST' 1993-08-08T22:00:00+99:00 \
		1993-08-08T22:00:00+-1:00 1993-08-08T22:00:00+01:60 "$(seq 10000)"
	local value
	for value in '' 0 -1 x 1e9 7258118400 $'1\n2'; do
		SOURCE_DATE_EPOCH=$value run_strict -- touch ran
		refuses SOURCE_DATE_EPOCH
		SOURCE_DATE_EPOCH=$value run_strict --epoch @5 -- true
		status_is 0
		SOURCE_DATE_EPOCH=$value run -- true
		status_is 0
	done
	[ ! -e ran ] || fail "ran"
}

test_good_times_are_taken() {
	local value
	for value in 1993-08-08T22:00:00Z 1993-08-08T22:00 '1993-08-09 03:30:00.000+05:30' \
		1993-08-08T20:00:00-0200 @744847200 @744847200.0000000001; do
		run_strict --epoch "$value" -- date +%FT%T
		out_is 1993-08-08T22:00:00
	done
	SOURCE_DATE_EPOCH=4102444800 run_strict -- date +%F
	out_is 2100-01-01
	run_strict --time stop --time warp:2 -- sh -c 'date +%s; date +%s'
	[ "${out%%$'\n'*}" != "${out##*$'\n'}" ] || fail "time stands still: $out"
}

test_bad_files_of_entropy_are_refused() {
	run_strict --entropy record:good -- head -c 10 /dev/urandom
	status_is 0
	: >empty
	head -c 30 good >short
	{ head -c 20 good && echo xx && tail -c +23 good; } >bent
	head -c 3000 /dev/zero >zeros
	mkdir directory
	bad_values_of --entropy '' dice seed: record: replay: replay:missing replay:empty replay:short \
		replay:bent replay:zeros replay:directory replay:/dev/zero record:directory record:/no/file
}

test_bad_images_are_refused() {
	echo >file
	mkdir empty
	bad_values_of --image '' missing file /dev/null "$(head -c 5000 /dev/zero | tr '\0' a)"
	run_strict --image empty -- sh -c true
	status_is 127
	says sh
}

test_bad_files_are_refused() {
	echo >file
	mkdir directory
	bad_values_of --stdin '' missing directory
	bad_values_of --log '' directory /no/such/file
	bad_values_of --save '' file missing/directory
	bad_values_of --mount '' missing :/x directory:x directory:/
}

test_options_end_at_the_first_other_word() {
	run echo --hostname -v
	out_is "--hostname -v"
	run -- echo -- -x
	out_is "-- -x"
}

test_values_may_be_joined_or_separate() {
	run --hostname=one -- uname -n
	out_is one
	run --hostname two -- uname -n
	out_is two
	run -eA=1 -e B=2 -- sh -c 'echo $A$B'
	out_is 12
	run -qv -C/ -- pwd
	out_is /
}

test_all_sources_by_name_are_as_good_as_all() {
	out=$("$STET" run --relax "time,random,pid inode mtime,dirents,order,threads" \
		--relax cpu,address,proc,env,net -- true 2>&1 </dev/null) || fail "$out"
	[ -z "$out" ] || fail "said '$out'"
}

test_stet_says_nothing_without_need() {
	run_strict -- echo hello
	out_is hello
	[ -z "$err" ] || fail "said '$err'"
}

test_workdir_is_the_commands() {
	run -- pwd
	out_is /build
	run -C /usr/bin -- pwd
	out_is /usr/bin
	run --workdir /no/such -- pwd
	refuses /no/such
}

test_environment_has_fixed_values_only() {
	SECRET=1 LC_ALL=de_DE.UTF-8 run_strict -- sh -c 'env | sort | grep -v "^_=\|^PWD=\|^SHLVL=\|^OLDPWD="'
	out_is "HOME=/root
LANG=C.UTF-8
LOGNAME=root
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
SHELL=/bin/sh
TZ=UTC
USER=root"
}

test_environment_takes_values_and_passes_on() {
	PASSED="with blanks" SOURCE_DATE_EPOCH=77 run_strict -e PASSED -e SET=x=y -e EMPTY= -e UNSET_BY_ALL \
		-e TZ=Asia/Tokyo -e TZ=CET -- sh -c \
		'echo "$PASSED|$SET|${EMPTY-none}|${UNSET_BY_ALL-none}|$TZ|$SOURCE_DATE_EPOCH"'
	out_is "with blanks|x=y||none|CET|77"
}

test_environment_can_be_left_native() {
	SECRET=1 LC_ALL=C run --relax env -e ADDED=2 -- sh -c 'echo $SECRET $LC_ALL $ADDED'
	out_is "1 C 2"
	[ "$(env | grep -v ^_= | sort)" = "$("$STET" run --relax env -- env | grep -v ^_= | sort)" ] ||
		fail "$("$STET" run --relax env -- env)"
}

# What a process inherits without being asked.
test_the_callers_state_does_not_show() {
	local look='umask; ls /proc/self/fd; grep "SigBlk\|SigIgn" /proc/self/status; tty; ulimit -Sn; id -G
		cat /proc/1/status /proc/1/limits'
	run_strict -- sh -c "$look"
	cp "$PWD.out" plain
	(
		umask 077
		trap '' USR1 PIPE TERM
		exec 7</etc/passwd 99</dev/null
		ulimit -Sn 500
		ulimit -Sc 100
		cd /
		nice -n 3 env --ignore-signal=CHLD,SYS --block-signal=USR2,CHLD timeout -k 5 60 \
			env --ignore-signal=CHLD "$STET" run --mount "$OLDPWD:/build" -- sh -c "$look"
	) >other 2>&1 </dev/null
	cmp plain other || fail "$(diff plain other)"
}

test_user_has_the_ids_asked_for() {
	run -- sh -c 'id -u; id -g'
	out_is "0
0"
	run_strict --user 1234 -- sh -c 'id -u; id -g; echo $HOME $USER'
	out_is "1234
0
/ user"
	run --user 12:34 -- sh -c 'id -u; id -g'
	out_is "12
34"
}

test_groups_of_the_caller_are_dropped() {
	is_root || skip "only root can drop them"
	run --user 12:34 -- id -G
	out_is 34
}

test_other_users_have_no_capabilities() {
	run --user 1000:1000 -- grep CapEff /proc/self/status
	out_is "CapEff:	0000000000000000"
}

test_root_inside_has_the_usual_capabilities_at_most() {
	run -- grep 'CapEff\|CapBnd\|CapPrm' /proc/self/status
	out_is "CapPrm:	00000000a80425fb
CapEff:	00000000a80425fb
CapBnd:	00000000a80425fb"
}

test_hostname_is_stet_or_as_asked_for() {
	run -- uname -n
	out_is stet
	run --hostname builder-7.example -- uname -n
	out_is builder-7.example
}

test_stdin_is_empty_unless_asked_for() {
	out=$(echo secret | "$STET" run --relax all -- cat) || fail "status $?"
	[ -z "$out" ] || fail "the command read '$out'"
	echo content >file
	run --stdin file -- cat
	out_is content
	run --stdin none -- cat
	out_is ""
	out=$(echo passed | "$STET" run --relax all --stdin - -- cat)
	[ "$out" = passed ] || fail "'$out' instead of what was piped in"
}

test_tty_is_a_terminal_of_fixed_size() {
	run --tty -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size && tty'
	[ "$out" = $'24 80\r\n/dev/pts/0\r' ] || fail "'$out' $err"
	status_is 0
}

test_tty_relays_input_and_its_end() {
	out=$(printf 'one\ntwo\n' | "$STET" run --relax all --tty --stdin - -- sh -c \
		'stty -echo; echo ready; while read -r line; do echo "<$line>"; done; echo end')
	case $out in *"<one>"*"<two>"*end*) ;; *) fail "$out" ;; esac
}

test_tty_without_stdin_sees_the_end_of_input() {
	run --tty -- cat
	status_is 0
}

test_tty_keeps_all_output() {
	run --tty -- seq 20000
	[ "$(printf '%s' "$out" | tr -d '\r' | md5sum)" = "$(seq 20000 | head -c -1 | md5sum)" ] ||
		fail "$(printf '%s\n' "$out" | wc -l) lines of 20000"
}

test_tty_gives_a_controlling_terminal() {
	run --tty -- sh -c 'echo through >/dev/tty'
	[ "$out" = $'through\r' ] || fail "'$out' $err"
	run -- sh -c 'echo x >/dev/tty'
	[ "$status" != 0 ] || fail "a terminal without --tty"
}

test_log_has_a_line_per_event() {
	run --log log -- sh -c 'echo hi'
	status_is 0
	[ -s log ] || fail "the log is empty"
	grep -q write log || fail "no write in the log"
}

test_stats_are_printed_at_the_end() {
	run --stats -- true
	status_is 0
	case $err in "stet: "*) ;; *) fail "said '$err'" ;; esac
	[ -z "$(printf '%s\n' "$err" | grep -v '^stet: ')" ] || fail "lines that are not Stet's: $err"
}

test_descriptor_limit_is_1024() {
	run -- sh -c 'ulimit -Sn'
	out_is 1024
	(ulimit -Sn 100 && run -- sh -c 'ulimit -Sn' && out_is 1024) || exit 1
}

test_runs_without_a_home() {
	out=$(env -u HOME -u XDG_CACHE_HOME "$STET" run --relax all -v -- echo fine 2>err)
	[ "$out" = fine ] || fail "$out $(cat err)"
	grep -q 'code cache' err || fail "said '$(cat err)'"
}

test_runs_with_closed_standard_descriptors() {
	"$STET" run --relax all -- sh -c 'exit 6' <&- >&- 2>&-
	[ $? = 6 ] || fail "status is not 6"
}

test_tty_takes_over_the_outer_terminal_and_gives_it_back() {
	timeout 60 python3 - "$STET" <<'END'
import os, pty, subprocess, sys, termios

master, slave = pty.openpty()
before = termios.tcgetattr(slave)
process = subprocess.Popen(
    [sys.argv[1], "run", "--relax", "all", "--tty", "--stdin", "-", "--", "sh", "-c",
     "trap 'echo interrupted' INT; echo ready; read -r line; echo got $line; exit 5"],
    stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
seen = b""


def expect(text):
    global seen
    while text not in seen:
        seen += os.read(master, 1000)


expect(b"ready")
if termios.tcgetattr(slave)[3] & termios.ICANON:
    sys.exit("the outer terminal is not raw")
os.write(master, b"\x03")  # reaches the command, not Stet
expect(b"interrupted")
os.write(master, b"word\r")
expect(b"got")
if process.wait() != 5:
    sys.exit(f"status {process.returncode}")
if termios.tcgetattr(slave) != before:
    sys.exit("the outer terminal was not given back")
END
}
