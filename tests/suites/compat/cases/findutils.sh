# level: core
mkdir -p tree/{a,b,c}/{x,y}
for d in tree/*/*; do seq 1 ${#d} >$d/file; ln -s file $d/link; done
find tree | sort; find tree -type f -size -100c | sort; find tree -name 'l*' -type l -printf '%p -> %l %m\n' | sort
find tree -type f -print0 | sort -z | xargs -0 wc -l; find tree -type f -exec grep -c 1 {} + | sort
seq 1 3000 | xargs -n 7 -P 2 echo | wc -l; seq 1 30 | xargs -I % sh -c 'exit 0'; echo $?; seq 3 | xargs false; echo $?
find tree -path '*b*' -delete; find tree | sort; find /usr/include -name 'std*.h' | sort | head -n 20; find nothing; echo $?
