// The exact bytes of bit-fields, seen through a union.
#include <stdio.h>
#include <string.h>

union view {
    struct {
        unsigned a : 3, b : 7, c : 11, : 0, d : 1, e : 31;
        unsigned char f : 2, : 3, g : 3;
    } s;
    unsigned char bytes[16];
};

int main(void) {
    union view v;
    memset(&v, 0, sizeof v);
    v.s.a = 5;
    v.s.b = 99;
    v.s.c = 1234;
    v.s.d = 1;
    v.s.e = 0x12345678;
    v.s.f = 2;
    v.s.g = 7;
    for (unsigned i = 0; i < sizeof v; i++) printf("%02x ", v.bytes[i]);
    printf("\n%zu\n", sizeof v.s);
    return 0;
}
