# Digits of pi, e and some others.
echo 'scale = 400; 4 * a(1); e(1); l(2); sqrt(2); s(1) ^ 2 + c(1) ^ 2' | bc -l
