#include "diff/report.h"

#include <stdlib.h>
#include <string.h>

#include "diff/printable.h"
#include "diff/trail.h"

#define BOLD   "1"
#define RED    "31"
#define GREEN  "32"
#define YELLOW "33"
#define PURPLE "35"
#define CYAN   "36"

struct text {
	const struct report *report;
	FILE *out;
	uint64_t shown, hidden; /* objects */
};

static void put_color(const struct text *text, const char *color)
{
	if (text->report->color && color)
		fprintf(text->out, "\033[%sm", color);
}

static void put_colored(const struct text *text, const char *color, const char *words, size_t size)
{
	put_color(text, color);
	printable_put(text->out, words, size);
	put_color(text, color ? "0" : NULL);
}

static const char *color_of_level(enum level level)
{
	static const char *const colors[] = { GREEN, YELLOW, PURPLE, RED };

	return colors[level];
}

static void put_level(const struct text *text, enum level level)
{
	put_colored(text, color_of_level(level), level_name(level), strlen(level_name(level)));
}

static void put_trail(const struct text *text, const struct trail *trail)
{
	if (trail->up && trail_is_named(trail->up)) {
		put_trail(text, trail->up);
		fputs(" > ", text->out);
	}
	put_colored(text, BOLD, trail->node->name, strlen(trail->node->name));
}

static const char *color_of_line(const char *line)
{
	switch (*line) {
	case '-':
		return RED;
	case '+':
		return GREEN;
	case '@':
		return CYAN;
	default:
		return NULL;
	}
}

static void put_excerpt(const struct text *text, const char *excerpt)
{
	unsigned lines = 0, more = 0;

	while (*excerpt) {
		const char *end = strchrnul(excerpt, '\n');

		if (lines < REPORT_LINES || text->report->full) {
			fputs("    ", text->out);
			put_colored(text, color_of_line(excerpt), excerpt, (size_t)(end - excerpt));
			fputc('\n', text->out);
			lines++;
		} else {
			more++;
		}
		excerpt = *end ? end + 1 : end;
	}
	if (more)
		fprintf(text->out, "    ... %u more lines\n", more);
}

static void put_finding(const struct text *text, const struct finding *finding)
{
	fputs("  ", text->out);
	printable_put(text->out, finding->what, strlen(finding->what));
	if (finding->cause) {
		fputs(" [", text->out);
		put_colored(text, CYAN, finding->cause, strlen(finding->cause));
		fputc(']', text->out);
	}
	fputc('\n', text->out);
	if (finding->excerpt)
		put_excerpt(text, finding->excerpt);
}

static void put_object(struct text *text, const struct trail *trail)
{
	const struct node *node = trail->node;
	size_t count = node->finding_count;

	if (text->shown == REPORT_OBJECTS && !text->report->full) {
		text->hidden++;
		return;
	}
	text->shown++;
	put_trail(text, trail);
	fprintf(text->out, " (%s): ", node->format);
	put_level(text, node->level);
	fputc('\n', text->out);
	if (count > REPORT_FINDINGS && !text->report->full)
		count = REPORT_FINDINGS;
	for (size_t i = 0; i < count; i++)
		put_finding(text, &node->findings[i]);
	if (count < node->finding_count)
		fprintf(text->out, "  ... %zu more findings\n", node->finding_count - count);
}

/* As deep as nests go, which is limited. */
static void put_tree(struct text *text, const struct trail *up, const struct node *node)
{
	const struct trail trail = { up, node };

	if (node->ignored)
		return;
	if (node->finding_count)
		put_object(text, &trail);
	for (size_t i = 0; i < node->child_count; i++)
		put_tree(text, &trail, node->children[i]);
}

static void put_counts(FILE *out, const struct node *root)
{
	const char *mark = ": ";

	if (root->level != LEVEL_BITS)
		for (int level = LEVEL_BITS; level <= LEVEL_DIFFERENT; level++) {
			if (!root->objects[level])
				continue;
			fprintf(out, "%s%llu %s", mark, (unsigned long long)root->objects[level],
				level_name((enum level)level));
			mark = ", ";
		}
	if (root->ignored_objects)
		fprintf(out, ", %llu ignored", (unsigned long long)root->ignored_objects);
}

void report_verdict(const struct node *root, const struct report *report, FILE *out)
{
	struct text text = { .report = report, .out = out };
	uint64_t all = 0;

	for (int level = LEVEL_BITS; level <= LEVEL_DIFFERENT; level++)
		all += root->objects[level];
	printable_put(out, report->a, strlen(report->a));
	fputs(" and ", out);
	printable_put(out, report->b, strlen(report->b));
	fputs(": ", out);
	put_level(&text, root->level);
	fprintf(out, ", %llu object%s", (unsigned long long)all, all == 1 ? "" : "s");
	put_counts(out, root);
	fputc('\n', out);
}

void report_text(const struct node *root, const struct report *report, FILE *out)
{
	struct text text = { .report = report, .out = out };

	put_tree(&text, NULL, root);
	if (text.hidden)
		fprintf(out, "... %llu more objects; --full shows all\n",
			(unsigned long long)text.hidden);
	report_verdict(root, report, out);
}
