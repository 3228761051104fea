#!/bin/bash
# std::random_device, by whatever the library takes: the processor's instructions, a system call, a device.
# level: normal
set -eu
cat >numbers.cc <<'C'
#include <iostream>
#include <random>

int main()
{
	for (const char *token : { "default", "rdrand", "rdseed", "getentropy", "/dev/urandom" }) {
		try {
			std::random_device device(token);

			std::cout << token;
			for (int i = 0; i < 5; i++)
				std::cout << " " << device();
			std::cout << "\n";
		} catch (const std::exception &error) {
			std::cout << token << ": " << error.what() << "\n";
		}
	}
}
C
g++ -O1 -o numbers numbers.cc
./numbers
./numbers
