// memcpy between overlapping regions.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "abcdefgh";
    memcpy(a + 1, a, 4);
    printf("%s\n", a);
    return 0;
}
