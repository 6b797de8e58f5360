// Buffers can be set.
#include <stdio.h>

int main(void) {
    static char b[BUFSIZ];
    printf("%d\n", setvbuf(stdout, b, _IOLBF, sizeof b));
    setbuf(stderr, 0);
    puts("line");
    return 0;
}
