mkdir -p scratch/p; cd scratch/p
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.13)
project(small C)
add_library(part SHARED part.c)
add_executable(prog main.c)
target_link_libraries(prog part)
enable_testing()
add_test(NAME runs COMMAND prog)
install(TARGETS prog part)
EOF
echo 'int part(void) { return 7; }' >part.c
echo '#include <stdio.h>
int part(void); int main(void) { printf("part %d\n", part()); return 0; }' >main.c
for generator in Ninja 'Unix Makefiles'; do
  cmake -G "$generator" -B build -DCMAKE_BUILD_TYPE=Release >log 2>&1 || cat log; cmake --build build -j 2 >log 2>&1 || cat log; build/prog
  (cd build && ctest 2>&1 | grep 'tests passed'); DESTDIR=$PWD/root cmake --install build >/dev/null
  find root -type f -printf '%P %m\n' | sort
  cmake --build build 2>&1 | grep -c -e 'no work' -e 'Built target'; rm -rf build root
done
