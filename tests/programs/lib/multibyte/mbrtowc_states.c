// Restartable conversion.
#include <stdio.h>
#include <string.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (int i = 0; i < 6; i++) {
        char c = (char)(__VERIFIER_nondet_uchar() & 127);
        wchar_t w = 7;
        printf("%d ", (int)mbrtowc(&w, &c, 1, &state));
        printf("%d %d\n", (int)w, mbsinit(&state));
    }
    printf("%d %d\n", (int)mbrtowc(0, 0, 0, &state), (int)mbrlen("x", 0, &state));
    return 0;
}
