// A zero-width bit-field closes the storage unit; sizes and alignment follow gcc.
#include <stdio.h>

struct a { char x; int : 0; char y; };
struct b { char x : 3; int : 0; char y : 3; };
struct c { int x : 3; long long : 0; int y : 3; };
struct d { unsigned char x : 4; unsigned y : 28; };
struct e { unsigned char x : 4; unsigned y : 29; };
struct f { short x : 9; char y : 7; short z : 9; };
union u { int x : 3; long long y : 40; char z; };

#define SHOW(t) printf(#t " %zu %zu\n", sizeof(t), _Alignof(t))

int main(void) {
    SHOW(struct a);
    SHOW(struct b);
    SHOW(struct c);
    SHOW(struct d);
    SHOW(struct e);
    SHOW(struct f);
    SHOW(union u);
    return 0;
}
