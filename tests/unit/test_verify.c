/* Sets of variations: their names, and which of them are found to matter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "verify/bisect.h"

static void names_are_read(void **state)
{
	struct error err;
	uint32_t set = VARY_ALL;

	(void)state;
	assert_int_equal(variations_read("time,umask", &set, &err), 0);
	assert_int_equal(set, VARY_BIT(VARY_TIME) | VARY_BIT(VARY_UMASK));
	assert_int_equal(variations_read("+fileordering,-time", &set, &err), 0);
	assert_int_equal(set, VARY_BIT(VARY_ORDER) | VARY_BIT(VARY_UMASK));
	assert_int_equal(variations_read("all", &set, &err), 0);
	assert_int_equal(set, VARY_ALL);
	assert_int_equal(variations_read("none", &set, &err), 0);
	assert_int_equal(set, 0);
}

static void unknown_names_are_errors(void **state)
{
	static const char *const bad[] = { "", "weather", "tim", "times", "-", ",time" };
	struct error err;
	uint32_t set = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(variations_read(bad[i], &set, &err), -1);
		assert_non_null(strstr(err.text, "--vary"));
	}
}

static void sets_are_told(void **state)
{
	char text[64], small[8];

	(void)state;
	variations_tell(VARY_BIT(VARY_HOST) | VARY_BIT(VARY_TIME), " + ", text, sizeof(text));
	assert_string_equal(text, "time + host");
	variations_tell(VARY_ALL, ",", small, sizeof(small));
	assert_int_equal(strlen(small), sizeof(small) - 1);
}

/* A result differs when all of one of these vary. */
struct causes {
	uint32_t sets[3];
	unsigned asked;
};

static int differs(void *context, uint32_t set, struct error *err)
{
	struct causes *causes = context;

	(void)err;
	causes->asked++;
	for (size_t i = 0; i < 3; i++)
		if (causes->sets[i] && (causes->sets[i] & set) == causes->sets[i])
			return 1;
	return 0;
}

static void each_single_cause_is_found(void **state)
{
	(void)state;
	for (unsigned i = 0; i < VARIATIONS; i++) {
		struct causes causes = { { VARY_BIT(i) }, 0 };
		uint32_t found[VARIATIONS];
		struct error err;

		assert_int_equal(bisect_find(VARY_ALL, differs, &causes, found, &err), 1);
		assert_int_equal(found[0], VARY_BIT(i));
		assert_in_range(causes.asked, 1, 7);
	}
}

static void all_causes_are_found(void **state)
{
	struct causes causes = { { VARY_BIT(VARY_HOST) | VARY_BIT(VARY_UMASK), VARY_BIT(VARY_TIME),
					 VARY_BIT(VARY_LOAD) },
		0 };
	uint32_t found[VARIATIONS];
	struct error err;

	(void)state;
	assert_int_equal(bisect_find(VARY_ALL, differs, &causes, found, &err), 3);
	assert_int_equal(found[0], causes.sets[1]);
	assert_int_equal(found[1], causes.sets[0]);
	assert_int_equal(found[2], causes.sets[2]);
}

/* What differed once and never again must not keep it busy for ever. */
static void a_difference_that_goes_away_ends(void **state)
{
	struct causes causes = { { 0 }, 0 };
	uint32_t found[VARIATIONS];
	struct error err;

	(void)state;
	assert_int_equal(bisect_find(VARY_ALL, differs, &causes, found, &err), 1);
	assert_in_range(causes.asked, 1, VARIATIONS * VARIATIONS);
}

static int fails(void *context, uint32_t set, struct error *err)
{
	(void)context;
	(void)set;
	return error_set(err, 0, "no");
}

static void trouble_is_passed_on(void **state)
{
	uint32_t found[VARIATIONS];
	struct error err;

	(void)state;
	assert_int_equal(bisect_find(VARY_ALL, fails, NULL, found, &err), -1);
	assert_string_equal(err.text, "no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_read),
		cmocka_unit_test(unknown_names_are_errors),
		cmocka_unit_test(sets_are_told),
		cmocka_unit_test(each_single_cause_is_found),
		cmocka_unit_test(all_causes_are_found),
		cmocka_unit_test(a_difference_that_goes_away_ends),
		cmocka_unit_test(trouble_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
