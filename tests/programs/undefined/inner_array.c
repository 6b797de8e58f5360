// The string does not fit: the terminating zero is written outside.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buf[8];
    strcpy(buf, "12345678");
    printf("%s\n", buf);
    return 0;
}
