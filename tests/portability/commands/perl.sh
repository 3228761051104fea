# The order of hashes, random numbers, times.
perl -e '
my %h = map { ("key$_" => $_ ** 1.5) } 1 .. 200;
print join(" ", keys %h), "\n";
printf "%.17g %.17g %.17g %d\n", rand, sin(1e5), atan2(1, 3) ** exp(1), time;
my $s = 0; $s += $_ ** -1.3 * cos($_) for 1 .. 50000; printf "%.17g\n", $s;
print join(" ", map { sprintf "%s", $_ / 7 } 1 .. 20), "\n";
print \$s, " $$ @{[times]}\n";
print scalar(localtime), " ", join(",", stat("/etc/passwd")), "\n";'
