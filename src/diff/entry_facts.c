#include "diff/entry_facts.h"

#include <string.h>
#include <sys/stat.h>

#include "diff/cause.h"
#include "diff/directory_pair.h"
#include "diff/time_text.h"

#define UMASK_BITS 0077 /* what umasks usually take away; the owner's rights are a choice */

static const char *type_of(const struct entry_facts *facts)
{
	const struct stat status = { .st_mode = facts->mode };

	return facts->type ? facts->type : entry_type(&status);
}

static int add_modes(struct member *members[2], const struct entry_facts *facts[2])
{
	mode_t differs = (facts[0]->mode ^ facts[1]->mode) & 07777;
	bool by_umask = !(differs & ~(mode_t)UMASK_BITS);

	for (int i = 0; i < 2; i++)
		if (member_fact(members[i], "mode", by_umask ? LEVEL_CONTENT : LEVEL_STRUCTURE,
			    by_umask ? CAUSE_MODE : NULL, "%04o", facts[i]->mode & 07777))
			return -1;
	return 0;
}

static int add_owner(struct member *member, const char *what, uint64_t number, struct span name)
{
	return member_fact(member, what, LEVEL_CONTENT, CAUSE_OWNER, "%llu%s%.*s",
		(unsigned long long)number, name.size ? " " : "", (int)name.size,
		name.size ? name.start : "");
}

static int add_target(struct member *members[2], const struct entry_facts *facts[2])
{
	struct span a = facts[0]->target, b = facts[1]->target;
	const char *cause = cause_of_text(a.start, a.size, b.start, b.size);

	for (int i = 0; i < 2; i++)
		if (member_fact(members[i], "target", LEVEL_STRUCTURE, cause, "%.*s",
			    (int)facts[i]->target.size, facts[i]->target.start))
			return -1;
	return 0;
}

static int add_others(struct member *member, const struct entry_facts *facts, bool owned)
{
	if (owned && (add_owner(member, "user", facts->user, facts->user_name) ||
			     add_owner(member, "group", facts->group, facts->group_name)))
		return -1;
	if (!S_ISCHR(facts->mode) && !S_ISBLK(facts->mode))
		return 0;
	return member_fact(member, "device", LEVEL_STRUCTURE, NULL, "%llu:%llu",
		(unsigned long long)facts->major, (unsigned long long)facts->minor);
}

/* The fraction goes before the Z. */
static int add_time(struct member *member, const struct entry_facts *facts)
{
	char text[TIME_TEXT];
	size_t size = strlen(time_text(text, facts->time));

	if (facts->fraction.size)
		size--;
	return member_fact(member, "time of change", LEVEL_CONTENT, CAUSE_TIME, "%.*s%.*s%s",
		(int)size, text, (int)facts->fraction.size,
		facts->fraction.size ? facts->fraction.start : "", facts->fraction.size ? "Z" : "");
}

int entry_facts(struct member *a, struct member *b, const struct entry_facts *of_a,
	const struct entry_facts *of_b)
{
	struct member *members[2] = { a, b };
	const struct entry_facts *facts[2] = { of_a, of_b };
	bool owned = of_a->owned && of_b->owned, timed = of_a->timed && of_b->timed;

	for (int i = 0; i < 2; i++)
		if (member_fact(members[i], "type", LEVEL_DIFFERENT, NULL, "%s", type_of(facts[i])))
			return -1;
	if (of_a->target.start && of_b->target.start && add_target(members, facts))
		return -1;
	if (add_modes(members, facts))
		return -1;
	for (int i = 0; i < 2; i++)
		if (add_others(members[i], facts[i], owned) ||
			(timed && add_time(members[i], facts[i])))
			return -1;
	return 0;
}
