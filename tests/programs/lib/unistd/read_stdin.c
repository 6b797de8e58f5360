// Bytes from a descriptor.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char b[8] = "";
    long n = read(0, b, 5);
    printf("%ld [%.*s]\n", n, (int)n, b);
    n = read(0, b, 8);
    printf("%ld\n", n);
    printf("%ld\n", (long)read(0, b, 0));
    return 0;
}
