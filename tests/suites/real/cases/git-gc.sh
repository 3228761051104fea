#!/bin/sh
# git gc with four threads on a repository of 400 commits, and the packs that it writes.
# shows: ^400$
# shows: ^count: 0$
# level: normal
set -eu
export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
git init -q -b main repository
cd repository
git config user.name Somebody; git config user.email somebody@example.org
awk 'BEGIN {
  for (c = 1; c <= 400; c++) {
    text = ""
    for (l = 1; l <= 40; l++) text = text "line " l " of " (l % 7 == c % 7 ? c : l * 31) "\n"
    printf "blob\nmark :%d\ndata %d\n%s\n", c * 2, length(text), text
    printf "commit refs/heads/main\nmark :%d\ncommitter Somebody <somebody@example.org> %d +0000\ndata 9\ncommit%03d\n", c * 2 + 1, 700000000 + c, c
    printf "M 100644 :%d d%d/f%d.txt\n\n", c * 2, c % 9, c % 83
  }
}' | git fast-import --quiet
git reset -q --hard
i=0
while [ $i -lt 30 ]; do
  echo "loose $i" >d1/new$i; git add d1/new$i
  i=$((i + 1))
done
git commit -q -m 'with loose objects' --date='2001-01-01T00:00:00Z'
git reset -q --hard HEAD~1
git rev-list --count HEAD
git -c pack.threads=4 -c gc.reflogExpire=now -c gc.reflogExpireUnreachable=now gc --quiet --prune=now --aggressive
git count-objects -v | grep -E '^(count|in-pack)'
git fsck --full 2>&1
sha256sum .git/objects/pack/* | cut -c1-100
