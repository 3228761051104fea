#include "guest/text.h"

#include "guest/sys.h"

char *text_put(char *at, const char *text)
{
	size_t n = strlen(text);

	memcpy(at, text, n + 1);
	return at + n;
}

bool text_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

char *text_put_number(char *at, long number)
{
	char digits[20];
	int n = 0;

	if (number < 0) {
		*at++ = '-';
		number = -number;
	}
	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		*at++ = digits[--n];
	*at = 0;
	return at;
}

bool text_is_dots(const char *text)
{
	return text[0] == '.' && (!text[1] || (text[1] == '.' && !text[2]));
}
