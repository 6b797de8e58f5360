// The two ends of a pipe differ.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int p[2];
    printf("%d\n", pipe(p));
    printf("%d\n", p[0] != p[1] && p[0] > 2 && p[1] > 2);
    printf("%d\n", close(p[0]));
    printf("%d\n", close(p[1]));
    return 0;
}
