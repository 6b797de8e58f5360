// Bytes and wide characters in the C locale.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 6; i++) {
        char c = (char)__VERIFIER_nondet_uchar();
        wchar_t w = 7;
        errno = 0;
        int n = mbtowc(&w, &c, 1);
        printf("%d %d %d %d\n", n, (int)w, errno, mblen(&c, 1));
    }
    printf("%d %d\n", mbtowc(0, 0, 0), (int)MB_CUR_MAX);
    return 0;
}
