# Floating point, random numbers and the order of arrays in two awks.
for awk in gawk mawk; do
	$awk 'BEGIN {
		for (i = 1; i <= 100000; i++) { s += sin(i) * exp(-i / 5e4) / sqrt(i); p += atan2(i, log(i + 1)) }
		printf "%.17g %.17g %.17g\n", s, p, 2 ^ 0.5
		srand(); print srand(), rand(), rand()
		for (i = 0; i < 50; i++) a["key" i * i] = i
		for (k in a) printf "%s ", k
		print ""
	}'
done
