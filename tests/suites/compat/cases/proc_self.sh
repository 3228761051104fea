# level: core
# /proc shows the program. Its maps still show the guest as well: /proc is native with --relax all.
cat /proc/self/comm; tr '\0' ' ' </proc/self/cmdline; echo; readlink /proc/self/exe
cat /proc/self/cmdline | tr '\0' '\n'; ls /proc/self/fd | wc -l; ls /proc/self/fd
awk '{ print $2 }' /proc/self/stat
grep -e ^Name -e ^SigBlk -e ^Threads /proc/self/status
grep -c 'libc.so.6' /proc/self/maps >/dev/null && echo libc; perl -e 'print scalar(() = glob "/proc/$$/task/*"), "\n"'
/usr/bin/python3 -c '
import os
print(os.readlink("/proc/self/exe") == os.path.realpath("/usr/bin/python3"))
print(open("/proc/self/comm").read(), end="")
print(sorted(os.listdir("/proc/self/fd")))
print(len(os.listdir("/proc/self/task")))
lines = [line.split(None, 5) for line in open("/proc/self/maps")]
names = {words[5].strip().split("/")[-1] for words in lines if len(words) > 5}
print("[stack]" in names, "[heap]" in names, any("libc.so" in n for n in names))'
env | sort | sed "s#$PWD##"; ps -o comm= -p $$; cat /proc/self/oom_score_adj >/dev/null && echo adj; cat /proc/$$/comm
