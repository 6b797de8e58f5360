// The operand of _Alignof is not evaluated, so the length of an array may be anything, also outside of
// functions.
#include <stdio.h>

int f(void);
int a = _Alignof(char[f()]), b = __alignof__(int[f()]);

int main(void) {
    int n = 2;
    printf("%d %d %d\n", a, b, (int)_Alignof(short[n++]));
    printf("%d\n", n);
    return 0;
}
