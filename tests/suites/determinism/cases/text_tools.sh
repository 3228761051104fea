#!/bin/bash
# grep, sed, cat, more, less and ls on fixed files. Does not differ natively: they have nothing to vary.
set -eu
export LC_ALL=C
printf 'The quick brown fox\njumps\tover\n\nthe lazy dog\n' >text
grep -n 'o' text
grep -c . text
sed -n '2,$p' text
sed -i 's/quick/slow/' text
sed -i '3d' text
sed -i '1i first' text
sed -i -e '$a last' -e 'y/abc/ABC/' text
sed -i.old 's/\t/ /' text
cat -ne text
more text
less text
mkdir -p tree/b/c tree/a
touch tree/b/c/file tree/a/one tree/a/two tree/Z
ls -R tree
ls
cmp text text.old || true
