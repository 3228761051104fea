# level: core
cd scratch
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b \
  GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
git init -q -b main r; cd r
for i in $(seq 200); do mkdir -p d$((i % 9)); seq $i >d$((i % 9))/f$i; done; git add .
git commit -qm first; git rev-parse HEAD; git status --short
echo change >>d1/f1; git diff --stat; git commit -qam second; git log --oneline
git checkout -q -b side HEAD~1; echo side >new; git add new; git commit -qm side
git merge -q -m merge main; git log --graph --oneline
git gc -q; git fsck 2>&1 | grep -v '^dangling'; cd ..; git clone -q r c; cd c
git log --oneline | wc -l; git clone -q --bare . ../bare.git; git remote add bare ../bare.git
git checkout -q -b pushed; echo x >y; git add y; git commit -qm y; git push -q bare pushed
git ls-remote bare | sort
git -C ../bare.git archive --format=tar pushed | sha256sum; git stash list; git blame -s y
git rebase -q HEAD~1; git tag v1; git describe --tags
git bundle create -q ../b HEAD && git bundle verify ../b 2>&1 | tail -n 1
git clone -q file://$PWD/../bare.git f; ls f | wc -l; git grep -c 77 | head -n 3; git nosuch; echo $?
