#include "diff/date_form.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/*
 * The longest first. d: a digit; D: a day of one or two digits, maybe behind a blank; M, W: the name
 * of a month or a day of the week; Z: the name of a time zone; all else stands for itself.
 */
static const char *const forms[] = {
	"W, D M dddd dd:dd:dd",
	"W M D dd:dd:dd Z dddd",
	"W M D dd:dd:dd dddd",
	"W D M dddd dd:dd:dd",
	"W M D Z dddd",
	"W D M dddd",
	"W, D M dddd",
	"D M dddd dd:dd:dd",
	"D-M-dddd dd:dd:dd",
	"M D dddd dd:dd:dd",
	"M D, dddd",
	"M D dd:dd:dd",
	"M D dddd",
	"M D dd:dd",
	"D M dddd",
	"D-M-dddd",
	"dddd-dd-ddTdd:dd:dd",
	"dddd-dd-dd dd:dd:dd",
	"dddd/dd/dd dd:dd:dd",
	"dddd-dd-dd dd:dd",
	"dddd:dd:dd dd:dd:dd",
	"dddd-dd-dd",
	"dddd/dd/dd",
	"dd/dd/dddd",
	"dd.dd.dddd",
	"ddddddddTdddddd",
	"dd/dd/dd",
	"dd:dd:dd",
	"dd:dd",
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static const char *const months[] = { "January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December" };
static const char *const days[] = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
	"Saturday", "Sunday" };

static size_t letters(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && isalpha((unsigned char)at[count]))
		count++;
	return count;
}

static bool is_one_of(const char *const *names, size_t count, const char *word, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if ((size == 3 || size == strlen(names[i])) &&
			strncasecmp(names[i], word, size) == 0)
			return true;
	return false;
}

static bool is_month(const char *word, size_t size)
{
	return is_one_of(months, sizeof(months) / sizeof(months[0]), word, size);
}

static bool is_day(const char *word, size_t size)
{
	return is_one_of(days, sizeof(days) / sizeof(days[0]), word, size);
}

bool date_is_name(const char *word, size_t size)
{
	return is_month(word, size) || is_day(word, size);
}

static size_t digits(const char *at, const char *end, size_t most)
{
	size_t count = 0;

	while (at + count < end && count < most && isdigit((unsigned char)at[count]))
		count++;
	return count;
}

static size_t day_of_month(const char *at, const char *end)
{
	size_t blank = at < end && *at == ' ', count = digits(at + blank, end, 2);

	return count ? blank + count : 0;
}

/* "CEST", or "+0545" of those that have no name. */
static size_t zone(const char *at, const char *end)
{
	size_t count = letters(at, end);

	if (at < end && (*at == '+' || *at == '-')) {
		count = digits(at + 1, end, 4);
		return count == 2 || count == 4 ? 1 + count : 0;
	}
	for (size_t i = 0; i < count; i++)
		if (!isupper((unsigned char)at[i]))
			return 0;
	return count >= 3 && count <= 5 ? count : 0;
}

/* How many bytes one character of a form stands for; 0: it does not fit. */
static size_t match_one(char form, const char *at, const char *end)
{
	size_t count;

	switch (form) {
	case 'd':
		return digits(at, end, 1);
	case 'D':
		return day_of_month(at, end);
	case 'M':
		count = letters(at, end);
		return is_month(at, count) ? count : 0;
	case 'W':
		count = letters(at, end);
		return is_day(at, count) ? count : 0;
	case 'Z':
		return zone(at, end);
	default:
		return at < end && *at == form;
	}
}

static size_t match(const char *form, const char *start, const char *end)
{
	const char *at = start;

	for (; *form; form++) {
		size_t count = match_one(*form, at, end);

		if (!count)
			return 0;
		at += count;
	}
	/* No part of a longer number. */
	return at < end && isdigit((unsigned char)*at) ? 0 : (size_t)(at - start);
}

/* Fractions of seconds, AM or PM, and the time zone: " +0200", "Z", " CEST". */
static size_t rest_of_time(const char *start, const char *end)
{
	const char *at = start;
	size_t blank, count;

	if (at < end && (*at == '.' || *at == ',') && (count = digits(at + 1, end, 9)))
		at += 1 + count;
	blank = at < end && *at == ' ';
	count = letters(at + blank, end);
	if (count == 2 &&
		(strncasecmp(at + blank, "AM", 2) == 0 || strncasecmp(at + blank, "PM", 2) == 0))
		at += blank + count;
	blank = at < end && *at == ' ';
	if (at + blank < end && (at[blank] == '+' || at[blank] == '-') &&
		(count = digits(at + blank + 1, end, 4)) >= 2) {
		at += blank + 1 + count;
		if (count == 2 && match("dd", at + 1, end) && *at == ':')
			at += 3;
	} else if (at < end && *at == 'Z' && letters(at, end) == 1) {
		at++;
	} else if (blank) {
		count = zone(at + 1, end);
		at += count ? 1 + count : 0;
	}
	return (size_t)(at - start);
}

size_t date_form(const char *at, const char *end)
{
	for (size_t i = 0; i < FORMS; i++) {
		size_t size = match(forms[i], at, end);

		if (!size)
			continue;
		return size + (strchr(forms[i], ':') ? rest_of_time(at + size, end) : 0);
	}
	return 0;
}
