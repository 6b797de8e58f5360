// Errors in words.
#include <stdio.h>
#include <errno.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    errno = ENOENT;
    perror("name");
    errno = __VERIFIER_nondet_int() & 15;
    puts(strerror(errno));
    perror(0);
    return 0;
}
