# level: core
cat >t.pl <<'EOF'
use strict; use warnings; use POSIX ":sys_wait_h"; use IO::Handle; use File::Temp 'tempfile'; use Socket; use Time::HiRes 'sleep';
$| = 1;
my %h = map { $_ => $_ ** 2 } 1 .. 10; print join(",", map { "$_=$h{$_}" } sort { $a <=> $b } keys %h), "\n";
pipe(my $r, my $w); my $pid = fork; if (!$pid) { close $r; print $w "from the child\n"; close $w; exit 12 }
close $w; print <$r>; waitpid $pid, 0; print $? >> 8, "\n";
print `echo backticks; exit 3`, $? >> 8, "\n";
my $got = 0; $SIG{USR1} = sub { $got++ }; kill USR1 => $$ for 1 .. 5; print "signals $got\n";
$SIG{ALRM} = sub { die "alarm\n" }; eval { alarm 1; select undef, undef, undef, 20; }; print $@;
my ($fh, $name) = tempfile(UNLINK => 1); print $fh "x" x 100000; close $fh; print -s $name, "\n";
socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0); $a->autoflush(1); print $a "sock\n"; print scalar <$b>;
open(my $p, "-|", "seq", "1", "5"); my @l = <$p>; close $p; print scalar(@l), "\n";
my @kids = map { my $n = $_; my $k = fork; exit $n unless $k; $k } 1 .. 20; my $sum = 0;
for (@kids) { waitpid $_, 0; $sum += $? >> 8 } print "$sum\n";
opendir(my $d, "/usr/lib"); print grep({ $_ eq "os-release" } readdir $d), "\n";
printf "%s\n", unpack("H*", pack("NnC", 1, 2, 3)); print "ok\n" if "abc" =~ /^a(?<x>.)c$/ and $+{x} eq "b";
local $SIG{CHLD} = "IGNORE"; system "true"; kill TERM => $$; print "never\n";
EOF
perl t.pl; echo $?
