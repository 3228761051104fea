#!/bin/bash
# What is made later is newer, even when it is made right after. Does not differ natively: not for certain, since
# whether two files fall into one tick of the kernel's clock is chance.
# shellcheck disable=SC2012  # the order of ls is what is looked at
set -eu
for name in c a d b; do echo $name >$name; done
ls -t
ls -tr
touch -r a like_a
[ a -nt c ] && [ d -nt a ] && ! [ like_a -nt a ] && ! [ a -nt like_a ] && echo "test agrees"
echo more >>c
ls -t | head -1
find . -newer b -type f
mv a renamed
cp -p d copy
cp d younger_copy
ls -t
touch -d 1985-02-03T04:05:06Z old
ls -tr | head -1
mkdir directory
touch directory/file
[ directory/file -ot directory ] || echo "the directory is not younger than its file"
[ /etc/passwd -ot c ] && echo "what was there before is older"
