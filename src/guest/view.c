#include "guest/view.h"

#include <stdarg.h>

void view_open(struct view *view, uint64_t from, uint64_t buffer, uint64_t bytes)
{
	view->at = view->done = 0;
	view->from = from;
	view->to = from + bytes < from ? ~0ull : from + bytes;
	view->buffer = buffer;
	view->fault = false;
	view->used = 0;
}

bool view_full(const struct view *view)
{
	return view->fault || view->at >= view->to;
}

static void flush(struct view *view)
{
	if (!view->fault && copy_out(view->buffer, view->piece, view->used) == 0) {
		view->buffer += view->used;
		view->done += view->used;
	} else {
		view->fault = true;
	}
	view->used = 0;
}

void view_put(struct view *view, const char *text, size_t bytes)
{
	if (view->at + bytes <= view->from) {
		view->at += bytes;
		return;
	}
	for (size_t i = 0; i < bytes; i++, view->at++) {
		if (view->at < view->from)
			continue;
		if (view->at >= view->to)
			return;
		if (view->used == sizeof(view->piece))
			flush(view);
		view->piece[view->used++] = text[i];
	}
}

void view_string(struct view *view, const char *text)
{
	view_put(view, text, strlen(text));
}

struct field {
	bool left, zero, wide;
	unsigned width;
	char kind;
};

static const char *field_parse(struct field *field, const char *at)
{
	*field = (struct field){ 0 };
	for (; *at == '-' || *at == '0'; at++)
		*(*at == '-' ? &field->left : &field->zero) = true;
	for (; *at >= '0' && *at <= '9'; at++)
		field->width = field->width * 10 + (unsigned)(*at - '0');
	for (; *at == 'l'; at++)
		field->wide = true;
	field->kind = *at;
	return at + 1;
}

static void pad(struct view *view, char with, size_t have, size_t want)
{
	for (; have < want; have++)
		view_put(view, &with, 1);
}

static void put_field(struct view *view, const struct field *field, const char *text)
{
	size_t length = strlen(text);

	if (!field->left)
		pad(view, field->zero ? '0' : ' ', length, field->width);
	view_put(view, text, length);
	if (field->left)
		pad(view, ' ', length, field->width);
}

static void put_number(struct view *view, const struct field *field, uint64_t number)
{
	unsigned base = field->kind == 'x' ? 16 : field->kind == 'o' ? 8 : 10;
	bool minus = field->kind == 'd' && (int64_t)number < 0;
	char text[32] = "", *at = text + sizeof(text) - 1;

	if (minus)
		number = -number;
	*at = 0;
	do
		*--at = "0123456789abcdef"[number % base];
	while (number /= base);
	if (minus)
		*--at = '-';
	put_field(view, field, at);
}

void view_print(struct view *view, const char *format, ...)
{
	struct field field;
	va_list list;

	va_start(list, format);
	while (*format) {
		size_t plain = 0;

		while (format[plain] && format[plain] != '%')
			plain++;
		view_put(view, format, plain);
		format += plain;
		if (!*format)
			break;
		format = field_parse(&field, format + 1);
		if (field.kind == 's') {
			put_field(view, &field, va_arg(list, const char *));
		} else if (field.kind == 'c') {
			char byte = (char)va_arg(list, int);

			view_put(view, &byte, 1);
		} else if (field.wide) {
			put_number(view, &field, va_arg(list, uint64_t));
		} else {
			int number = va_arg(list, int);

			put_number(view, &field,
				field.kind == 'd' ? (uint64_t)number : (uint32_t)number);
		}
	}
	va_end(list);
}

long view_close(struct view *view)
{
	if (view->used)
		flush(view);
	return view->fault && !view->done ? -EFAULT : (long)view->done;
}
