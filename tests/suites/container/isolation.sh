# What the command must not reach.
# shellcheck shell=bash disable=SC2015,SC2016,SC2034,SC2153,SC2154

test_only_processes_of_the_container_are_visible() {
	run -- sh -c 'ls /proc | grep -c "^[0-9]"; echo $$'
	[ "${out%%$'\n'*}" -le 5 ] || fail "${out%%$'\n'*} processes"
	[ "${out##*$'\n'}" = 2 ] || fail "the command is process ${out##*$'\n'}"
}

test_host_processes_cannot_be_signalled() {
	sleep 1000 &
	run -- sh -c "kill -9 $!"
	[ "$status" != 0 ] || fail "kill succeeded"
	kill $! || fail "it is gone"
}

test_command_is_not_the_first_process() {
	# Default actions of signals do not hold for process 1.
	run -- sh -c 'kill -TERM $$; sleep 5'
	status_is 143
}

test_network_is_loopback_or_nothing() {
	run -- sh -c 'ls /sys/class/net >/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "'
	out_is lo
	run -- python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); print("up")'
	out_is up
	run --net none -- python3 -c 'import socket
try: socket.create_connection(("127.0.0.1", 1))
except OSError as e: print(e.errno)'
	out_is 101
}

test_host_sockets_are_out_of_reach() {
	python3 -c 'import socket, time
s = socket.socket(socket.AF_UNIX); s.bind("\0stet-test-'$$'"); s.listen(); print("up", flush=True); time.sleep(60)' >up &
	while [ ! -s up ]; do sleep 0.05; done
	run -- python3 -c 'import socket
try: socket.socket(socket.AF_UNIX).connect("\0stet-test-'$$'"); print("connected")
except OSError as e: print("refused")'
	kill $!
	out_is refused
}

test_host_name_and_mounts_stay_the_hosts() {
	local name before
	name=$(uname -n) before=$(leftovers)
	run -- true
	[ "$(uname -n)" = "$name" ] || fail "the host's name changed"
	[ "$(leftovers)" = "$before" ] || fail "mounts or files were left"
}

test_only_standard_descriptors_are_open() {
	run -- sh -c 'ls /proc/self/fd | tr "\n" " "'
	out_is "0 1 2 3 "
	(exec 5</etc 6<. && run -- sh -c 'ls /proc/self/fd | tr "\n" " "' && out_is "0 1 2 3 ") || exit 1
}

test_hidden_descriptors_do_not_lead_out() {
	run -- sh -c 'for fd in 2000 2001 2002 2003 2004 2005 2006; do
		for up in .. ../.. ../../..; do
			etc=/proc/self/fd/$fd/$up/etc
			test ! -e $etc || test $etc -ef /etc || echo $etc
		done
	done'
	out_is ""
}

test_devices_are_the_harmless_ones() {
	run -- sh -c 'ls /dev | tr "\n" " "; echo x >/dev/null; head -c 3 /dev/zero | wc -c
		head -c 3 /dev/urandom | wc -c; echo x >/dev/full || echo full; echo a >/dev/shm/a; cat /dev/shm/a'
	out_is "fd full null ptmx pts random shm stderr stdin stdout tty urandom zero 3
3
full
a"
}

test_host_devices_cannot_be_changed() {
	run -- chmod 600 /dev/null
	[ "$status" != 0 ] || fail "chmod succeeded"
	[ "$(stat -c %a /dev/null)" = 666 ] || fail "the host's /dev/null changed"
}

test_kernel_settings_cannot_be_changed() {
	run -- sh -c 'echo 1 >/proc/sys/kernel/core_uses_pid'
	[ "$status" != 0 ] || fail "/proc/sys can be written"
	run -- sh -c 'for f in /sys/kernel/*; do test -f $f && (: >>$f) 2>/dev/null && echo $f; done; true'
	out_is ""
}

test_init_cannot_be_looked_into() {
	run -- sh -c 'readlink /proc/1/fd/* /proc/1/exe; ls /proc/1/root/; cat /proc/1/environ /proc/1/maps'
	[ -z "$out" ] || fail "saw '$out'"
}

test_mounting_is_refused() {
	run -- sh -c 'mount -t tmpfs x /mnt && echo mounted; umount /proc && echo unmounted; true'
	out_is ""
}

test_a_machine_without_user_namespaces_is_told_what_to_change() {
	command -v unshare >/dev/null || skip "no unshare"
	unshare -Ur true || skip "no user namespaces"
	# The limit is one of the namespace that sets it.
	out=$(unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; "$0" run --relax all -- true' \
		"$STET" 2>err) && fail "no error"
	err=$(cat err)
	says "sysctl -w user.max_user_namespaces="
}

test_containers_can_be_nested() {
	command -v unshare >/dev/null || skip "no unshare"
	out=$(unshare -Urmpf --mount-proc "$STET" run --relax all -- echo inside 2>err) || fail "$(cat err)"
	[ "$out" = inside ] || fail "$out"
}

test_ipc_objects_are_private() {
	local id
	id=$(ipcmk -M 4096 2>/dev/null | grep -o '[0-9]*$') || skip "no ipcmk"
	run -- sh -c 'tail -n +2 /proc/sysvipc/shm | wc -l'
	ipcrm -m "$id"
	out_is 0
}
