// As the safe twin; three digits do not fit.
#include <assert.h>
#include <wchar.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    wchar_t buf[3];
    unsigned char x = __VERIFIER_nondet_uchar();
    int n = swprintf(buf, 3, L"%d", x);
    assert(n > 0);
    assert(n < 0 || (buf[n] == 0 && buf[0] >= L'0' && buf[0] <= L'9'));
    return 0;
}
