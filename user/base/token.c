// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "token.h"

/* Longest secret, a newline, and one more byte to detect a secret that is too long. */
#define BUF_BYTES	(ICBENCH_MAX_TOKEN + 2)

static int read_file(struct token *token, char *buf, const char *path,
		     struct icb_reason *why)
{
	size_t len = 0;
	ssize_t got;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return icb_refuse(why, -errno, "token-file: cannot read %.100s: %s",
				  path, strerror(errno));
	do {
		got = read(fd, buf + len, BUF_BYTES - len);
		if (got > 0)
			len += got;
	} while (got > 0 && len < BUF_BYTES);
	err = errno;
	close(fd);
	if (got < 0)
		return icb_refuse(why, -err, "token-file: cannot read %.100s: %s",
				  path, strerror(err));
	if (len && buf[len - 1] == '\n')
		len--;
	if (len < ICBENCH_MIN_TOKEN || len > ICBENCH_MAX_TOKEN)
		return icb_refuse(why, -ERANGE,
				  "token-file: %.100s has a secret of %s bytes; accepted: %u to %u",
				  path, len < ICBENCH_MIN_TOKEN ? "too few" :
				  "too many", ICBENCH_MIN_TOKEN,
				  ICBENCH_MAX_TOKEN);
	memcpy(token->data, buf, len);
	token->len = len;
	return 0;
}

/**
 * token_read() - read a secret from a file
 * @token: set to the secret
 * @path: the file; a newline at its end is not part of the secret
 * @why: the reason of a refusal, which does not quote the secret
 *
 * Return: 0, or a negative error number with a reason.
 */
int token_read(struct token *token, const char *path, struct icb_reason *why)
{
	char buf[BUF_BYTES];
	int err = read_file(token, buf, path, why);

	explicit_bzero(buf, sizeof(buf));
	return err;
}
