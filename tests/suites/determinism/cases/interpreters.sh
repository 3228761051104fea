#!/bin/bash
# Perl, Python, Ruby and awk: order of hashes, unseeded randomness, clocks, pids, temporary names.
# level: normal
set -eu
perl -e '%h = map { $_ => 1 } "a" .. "z"; print join(" ", keys %h), "\n"; print rand(), " $$ ", time, " $^T\n"'
perl -MTime::HiRes=time -MFile::Temp=tempfile -e 'my ($f, $n) = tempfile("XXXXXXXX"); print time, " $n\n"'
/usr/bin/python3 -c 'import random, time, os, tempfile
print(set("abcdefgh"), random.random(), time.time(), os.getpid(), tempfile.mktemp())'
ruby -e 'p rand, Time.now.to_f, Process.pid, "abc".hash, Object.new.object_id, {a: 1}.hash'
awk 'BEGIN { srand(); print rand(), srand() }'
