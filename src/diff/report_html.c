#include "diff/report.h"

#include <errno.h>
#include <string.h>

#include "diff/page_parts.h"
#include "diff/printable.h"
#include "diff/trail.h"

struct page {
	const struct report *report;
	FILE *out;
	uint64_t shown, hidden; /* objects with findings */
};

/* For classes and the filter, and for those who meet these words for the first time. */
static const struct {
	const char *class, *meaning;
} levels[] = {
	[LEVEL_BITS] = { "bits", "all bytes are the same" },
	[LEVEL_CONTENT] = { "content",
		"the same payload; only times, ids, padding, order or compression differ" },
	[LEVEL_STRUCTURE] = { "structure", "the same shape with other payload" },
	[LEVEL_DIFFERENT] = { "different", "not even the same shape" },
};

static void put(const struct page *page, const char *html)
{
	fputs(html, page->out);
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return "&#39;";
	}
}

/* Text of strangers: nothing in it is markup, in an element or in a quoted attribute. */
static void put_text(const struct page *page, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *special = text;

		while (special < end && !strchr("&<>\"'", *special))
			special++;
		printable_put(page->out, text, (size_t)(special - text));
		if (special < end)
			put(page, entity(*special++));
		text = special;
	}
}

static void put_words(const struct page *page, const char *words)
{
	put_text(page, words, strlen(words));
}

static void put_badge(const struct page *page, enum level level)
{
	fprintf(page->out, "<span class=\"badge %s\">%s</span>", levels[level].class,
		level_name(level));
}

static void put_trail(const struct page *page, const struct trail *trail)
{
	if (trail->up && trail_is_named(trail->up)) {
		put_trail(page, trail->up);
		put(page, " &gt; ");
	}
	put_words(page, trail->node->name);
}

/* Where the object is, unless its name alone says that. */
static void put_path(const struct page *page, const struct trail *trail)
{
	if (!trail->up || !trail_is_named(trail->up))
		return;
	put(page, "<p class=\"path\">");
	put_trail(page, trail);
	put(page, "</p>\n");
}

static void put_line(const struct page *page, const char *line, size_t size)
{
	static const struct {
		char mark;
		const char *open, *close;
	} kinds[] = {
		{ '-', "<del>", "\n</del>" },
		{ '+', "<ins>", "\n</ins>" },
		{ '@', "<span class=\"at\">", "\n</span>" },
		{ '\0', "<span>", "\n</span>" },
	};
	size_t i = 0;

	while (kinds[i].mark && !(size && kinds[i].mark == *line))
		i++;
	put(page, kinds[i].open);
	put_text(page, line, size);
	put(page, kinds[i].close);
}

/* At most so many lines; answers what is left. */
static const char *put_lines(const struct page *page, const char *text, size_t most)
{
	put(page, "<pre><span class=\"lines\">");
	for (size_t i = 0; i < most && *text; i++) {
		const char *end = strchrnul(text, '\n');

		put_line(page, text, (size_t)(end - text));
		text = *end ? end + 1 : end;
	}
	put(page, "</span></pre>\n");
	return text;
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; count++) {
		text = strchrnul(text, '\n');
		text += *text != '\0';
	}
	return count;
}

static void put_excerpt(const struct page *page, const char *excerpt)
{
	const char *rest = put_lines(page, excerpt, REPORT_LINES);
	size_t more = count_lines(rest);

	if (!more)
		return;
	if (page->report->full) {
		fprintf(page->out, "<details><summary class=\"more\">%zu more lines</summary>\n",
			more);
		put_lines(page, rest, more);
		put(page, "</details>\n");
	} else {
		fprintf(page->out, "<p class=\"more\">... %zu more lines</p>\n", more);
	}
}

static void put_finding(
	const struct page *page, const struct node *node, const struct finding *finding)
{
	put(page, "<li class=\"finding\"><p>");
	put_words(page, finding->what);
	if (finding->cause) {
		put(page, " <span class=\"cause\">likely cause: ");
		put_words(page, finding->cause);
		put(page, "</span>");
	}
	if (finding->level != node->level) {
		put(page, " ");
		put_badge(page, finding->level);
	}
	put(page, "</p>\n");
	if (finding->excerpt)
		put_excerpt(page, finding->excerpt);
	put(page, "</li>\n");
}

static void put_findings(const struct page *page, const struct trail *trail)
{
	const struct node *node = trail->node;
	size_t count = node->finding_count;

	if (count > REPORT_FINDINGS && !page->report->full)
		count = REPORT_FINDINGS;
	put(page, "<div class=\"own\">\n");
	put_path(page, trail);
	put(page, "<ul class=\"findings\">\n");
	for (size_t i = 0; i < count; i++)
		put_finding(page, node, &node->findings[i]);
	if (count < node->finding_count)
		fprintf(page->out, "<li class=\"more\">... %zu more findings</li>\n",
			node->finding_count - count);
	put(page, "</ul>\n</div>\n");
}

static void open_object(const struct page *page, const struct node *node)
{
	fprintf(page->out,
		"<details class=\"object\" data-level=\"%s\" open>\n"
		"<summary><span class=\"name\">",
		levels[node->level].class);
	put_words(page, node->name);
	put(page, "</span> <span class=\"format\">");
	put_words(page, node->format);
	put(page, "</span> ");
	put_badge(page, node->level);
	put(page, "</summary>\n<div class=\"below\">\n");
}

/* Objects with something to tell, up to `most`, at and below this one. As deep as nests go, which
 * is limited. */
static uint64_t count_told(const struct node *node, uint64_t most)
{
	uint64_t count = node->finding_count != 0;

	if (node->ignored)
		return 0;
	for (size_t i = 0; i < node->child_count && count < most; i++)
		count += count_told(node->children[i], most - count);
	return count;
}

static void put_tree(struct page *page, const struct trail *up, const struct node *node)
{
	const struct trail trail = { up, node };
	bool framed;

	if (page->shown == REPORT_OBJECTS && !page->report->full) {
		page->hidden += count_told(node, UINT64_MAX);
		return;
	}
	if (!count_told(node, 1))
		return;
	framed = trail_is_named(&trail) || node->finding_count;
	if (framed)
		open_object(page, node);
	if (node->finding_count) {
		page->shown++;
		put_findings(page, &trail);
	}
	for (size_t i = 0; i < node->child_count; i++)
		put_tree(page, &trail, node->children[i]);
	if (framed)
		put(page, "</div>\n</details>\n");
}

static void put_names(const struct page *page)
{
	put_words(page, page->report->a);
	put(page, " and ");
	put_words(page, page->report->b);
}

static void put_title(const struct page *page, const struct node *root)
{
	const struct report_preface *preface = page->report->preface;

	fprintf(page->out, "%s: ", preface ? preface->verdict : level_name(root->level));
	if (preface)
		put_words(page, preface->title);
	else
		put_names(page);
}

static void put_head(const struct page *page, const struct node *root)
{
	put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		  "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
		  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		  "<title>");
	put_title(page, root);
	put(page, "</title>\n<style>\n");
	fwrite(page_style, 1, page_style_size, page->out);
	put(page, "</style>\n</head>\n<body>\n");
}

static void put_count(const struct page *page, const char *class, const char *name, uint64_t count,
	const char *meaning)
{
	fprintf(page->out,
		"<tr%s><th scope=\"row\"><span class=\"badge %s\">%s</span></th><td>%llu</td>"
		"<td>%s</td></tr>\n",
		count ? "" : " class=\"zero\"", class, name, (unsigned long long)count, meaning);
}

static void put_fact(const struct page *page, const struct report_fact *fact)
{
	put(page, "<tr><th scope=\"row\">");
	put_words(page, fact->name);
	put(page, "</th><td>");
	put_words(page, fact->value);
	put(page, "</td></tr>\n");
}

static void put_preface(const struct page *page, const struct report_preface *preface)
{
	put(page, "<header class=\"preface\">\n<h1>");
	put_words(page, preface->title);
	fprintf(page->out,
		"</h1>\n<p class=\"verdict\"><span class=\"badge %s\">%s</span></p>\n"
		"<table class=\"facts\">\n",
		levels[preface->good ? LEVEL_BITS : LEVEL_DIFFERENT].class, preface->verdict);
	for (size_t i = 0; i < preface->fact_count; i++)
		put_fact(page, &preface->facts[i]);
	put(page, "</table>\n</header>\n");
}

static void put_header(const struct page *page, const struct node *root)
{
	uint64_t all = 0;

	for (int level = LEVEL_BITS; level <= LEVEL_DIFFERENT; level++)
		all += root->objects[level];
	if (page->report->preface)
		put_preface(page, page->report->preface);
	put(page, "<header>\n<h1>");
	put_names(page);
	put(page, "</h1>\n<p class=\"verdict\">");
	put_badge(page, root->level);
	fprintf(page->out, " %llu object%s compared</p>\n<table class=\"counts\">\n",
		(unsigned long long)all, all == 1 ? "" : "s");
	for (int level = LEVEL_BITS; level <= LEVEL_DIFFERENT; level++)
		put_count(page, levels[level].class, level_name((enum level)level),
			root->objects[level], levels[level].meaning);
	if (root->ignored_objects)
		put_count(page, "ignored", "ignored", root->ignored_objects,
			"count for nothing, and are not shown");
	put(page, "</table>\n</header>\n");
}

/* The script shows them: they would do nothing without it. */
static void put_tools(const struct page *page)
{
	put(page, "<form id=\"tools\" hidden>\n");
	for (int level = LEVEL_DIFFERENT; level >= LEVEL_BITS; level--) {
		fprintf(page->out,
			"<label><input type=\"checkbox\" value=\"%s\" autocomplete=\"off\" "
			"checked> ",
			levels[level].class);
		put_badge(page, (enum level)level);
		put(page, "</label>\n");
	}
	put(page, "<input type=\"search\" placeholder=\"name, cause, text ...\" "
		  "aria-label=\"show only what has these words\" autocomplete=\"off\">\n"
		  "<button type=\"button\" id=\"fold\">Fold all</button>\n"
		  "<button type=\"button\" id=\"unfold\">Unfold all</button>\n"
		  "<output></output>\n</form>\n");
}

static void put_objects(struct page *page, const struct node *root)
{
	put(page, "<main>\n");
	put_tree(page, NULL, root);
	if (!page->shown)
		put(page, "<p class=\"none\">Nothing differs.</p>\n");
	if (page->hidden)
		fprintf(page->out,
			"<p class=\"more\">... %llu more objects; --full shows all</p>\n",
			(unsigned long long)page->hidden);
	put(page, "</main>\n");
}

int report_html(const struct node *root, const struct report *report, FILE *out, struct error *err)
{
	struct page page = { .report = report, .out = out };

	put_head(&page, root);
	put_header(&page, root);
	put_tools(&page);
	put_objects(&page, root);
	put(&page, "<footer>Made by stet " STET_VERSION "</footer>\n<script>\n");
	fwrite(page_script, 1, page_script_size, out);
	put(&page, "</script>\n</body>\n</html>\n");
	if (fflush(out) || ferror(out))
		return error_set(err, errno, "cannot write the page");
	return 0;
}
