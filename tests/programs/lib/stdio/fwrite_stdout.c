// Bytes written as they are.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char b[6];
    for (int i = 0; i < 6; i++)
        b[i] = __VERIFIER_nondet_uchar();
    printf("%zu\n", fwrite(b, 2, 3, stdout));
    printf("%zu %zu\n", fwrite(b, 0, 3, stdout), fwrite(b, 3, 0, stdout));
    printf("%d %d\n", fflush(stdout), fputs("\n", stdout) >= 0);
    return 0;
}
