// The buffer has room for the terminating zero.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buf[9];
    strcpy(buf, "12345678");
    printf("%s\n", buf);
    return 0;
}
