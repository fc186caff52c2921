// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "model/engine.h"
#include "text.h"

/* Longest word that text_closest() compares, bytes. */
#define WORD_MAX	32
/* Shortest word that text_closest() takes for the beginning of a known word, bytes. */
#define PREFIX_MIN	3

/**
 * text_utf8() - get the length of the first character of a string
 * @s: string that ends in NUL
 *
 * Return: 1 to 4 bytes; 0 if the string is empty, or does not begin with well-formed
 * UTF-8.
 */
size_t text_utf8(const char *s)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	u32 code;
	size_t len, i;

	if (p[0] < 0x80)
		return p[0] != '\0';
	if (p[0] >= 0xc2 && p[0] < 0xe0)
		len = 2;
	else if (p[0] >= 0xe0 && p[0] < 0xf0)
		len = 3;
	else if (p[0] >= 0xf0 && p[0] < 0xf5)
		len = 4;
	else
		return 0;
	code = p[0] & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[len] || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return len;
}

static bool is_control(const char *s, size_t len)
{
	unsigned char c = s[0];

	/* in two bytes: the C1 controls, U+0080 to U+009F */
	if (len == 2)
		return c == 0xc2 && (unsigned char)s[1] < 0xa0;
	return c < ' ' || c == 0x7f;
}

/**
 * text_is_clean() - check whether a string can be printed as it is
 * @s: the string
 *
 * Return: true if it is UTF-8 without control characters.
 */
bool text_is_clean(const char *s)
{
	size_t len;

	for (; *s; s += len) {
		len = text_utf8(s);
		if (!len || is_control(s, len))
			return false;
	}
	return true;
}

/**
 * text_one_line() - make a string printable on one line
 * @s: string, changed in place: bytes that are not UTF-8, and control characters, become
 *	"?"
 */
void text_one_line(char *s)
{
	size_t len;

	while (*s) {
		len = text_utf8(s);
		if (!len || is_control(s, len)) {
			memset(s, '?', len ? len : 1);
			len = len ? len : 1;
		}
		s += len;
	}
}

/**
 * text_trim() - remove blanks and tabs around a string
 * @s: string, changed in place
 *
 * Return: the first character within @s that is kept.
 */
char *text_trim(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	len = strlen(s);
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		s[--len] = '\0';
	return s;
}

/* Levenshtein's distance */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[WORD_MAX + 1], i, j, last, next, best;
	unsigned int len = strlen(b);

	for (j = 0; j <= len; j++)
		row[j] = j;
	for (i = 1; a[i - 1]; i++) {
		last = row[0];
		row[0] = i;
		for (j = 1; j <= len; j++) {
			best = last + (a[i - 1] != b[j - 1]);
			last = row[j];
			next = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			row[j] = best < next ? best : next;
		}
	}
	return row[len];
}

/**
 * text_closest() - find the known word that a misspelled word is meant to be
 * @word: the misspelled word
 * @words: known words, ending in NULL
 *
 * Return: one of @words, or NULL if none is close.
 */
const char *text_closest(const char *word, const char *const *words)
{
	const size_t dashes = strspn(word, "-");
	const char *closest = NULL, *known;
	unsigned int least, d;

	if (strlen(word) > WORD_MAX)
		return NULL;
	/* leading dashes are left out: all options have them in common */
	word += dashes;
	/* a third of the letters may be wrong */
	least = strlen(word) / 3 + 1;
	for (; *words; words++) {
		known = *words + (strspn(*words, "-") == dashes ? dashes : 0);
		if (strlen(known) > WORD_MAX)
			continue;
		if (strlen(word) >= PREFIX_MIN &&
		    !strncmp(known, word, strlen(word)))
			return *words;
		d = distance(word, known);
		if (d <= least && (!closest || d < least)) {
			least = d;
			closest = *words;
		}
	}
	return closest;
}
