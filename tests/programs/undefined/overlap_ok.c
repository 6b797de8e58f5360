// memmove between overlapping regions.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "abcdefgh";
    memmove(a + 1, a, 4);
    printf("%s\n", a);
    return 0;
}
