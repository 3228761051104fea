# level: core
# The program knows what Linux answers; where this kernel lets it have keys, that is checked first.
./bin/keys >native || [ $? = 77 ] || { cat native; exit 1; }
"$STET" run -- ./bin/keys >strict || { cat strict; exit 1; }
"$STET" run --relax order -- ./bin/keys >free || { cat free; exit 1; }
diff strict free || exit 1
[ "$(id -u)" != 0 ] || "$STET" run --user 1:1 -- ./bin/keys >user || { cat user; exit 1; }
