#include "diff/formats.h"

#include "diff/binary.h"
#include "diff/class.h"
#include "diff/git_pack.h"
#include "diff/jpeg.h"
#include "diff/json.h"
#include "diff/mo.h"
#include "diff/pdf.h"
#include "diff/png.h"
#include "diff/pyc.h"
#include "diff/root.h"
#include "diff/sqlite.h"
#include "diff/text.h"
#include "diff/xml.h"

/* The most special first; what is text or bytes to some others is more than that. */
static const struct format formats[] = {
	{ "ROOT", root_is, root_compare },
	{ "PNG", png_is, png_compare },
	{ "pyc", pyc_is, pyc_compare },
	{ "gettext .mo", mo_is, mo_compare },
	{ "Java class", class_is, class_compare },
	{ "PDF", pdf_is, pdf_compare },
	{ "JPEG", jpeg_is, jpeg_compare },
	{ "SQLite", sqlite_is, sqlite_compare },
	{ "XML", xml_is, xml_compare },
	{ "git pack", git_pack_is, git_pack_compare },
	{ "JSON", json_is, json_compare },
	{ "text", text_is, text_compare },
	{ "bytes", binary_is, binary_compare },
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *formats_next(const struct format *after, const struct pair *pair)
{
	for (const struct format *format = after ? after + 1 : formats; format < formats + FORMATS;
		format++)
		if (format->is(&pair->a) && format->is(&pair->b))
			return format;
	return NULL;
}
