# level: core
# Static programs whose files are laid out in unusual ways.
for program in aligned_segments executable_stack separate_bss many_headers brk_at_the_edges_static; do
  echo "$program"
  ./bin/$program
  echo "status $?"
done
