// Packed structs, packed members and pragma pack: sizes, offsets and unaligned access.
#include <stddef.h>
#include <stdio.h>

struct __attribute__((packed)) p1 { char a; int b; short c; long long d; };
struct p2 { char a; int b __attribute__((packed)); double c; };
#pragma pack(push, 2)
struct p3 { char a; int b; double c; };
#pragma pack(pop)
#pragma pack(1)
struct p4 { char a; long b; };
#pragma pack()
struct p5 { char a; long b; };
struct __attribute__((packed, aligned(4))) p6 { char a; short b; char c; };
struct __attribute__((packed)) p7 { unsigned a : 5; unsigned long long b : 45; unsigned c : 20; };

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct p1), offsetof(struct p1, b), offsetof(struct p1, d));
    printf("%zu %zu %zu\n", sizeof(struct p2), offsetof(struct p2, b), offsetof(struct p2, c));
    printf("%zu %zu %zu\n", sizeof(struct p3), offsetof(struct p3, b), offsetof(struct p3, c));
    printf("%zu %zu\n", sizeof(struct p4), offsetof(struct p4, b));
    printf("%zu %zu\n", sizeof(struct p5), offsetof(struct p5, b));
    printf("%zu %zu\n", sizeof(struct p6), _Alignof(struct p6));
    printf("%zu\n", sizeof(struct p7));
    struct p1 x = {1, -2, 3, -4};
    x.d += x.b;
    struct p1 copy = x;
    printf("%d %d %d %lld\n", copy.a, copy.b, copy.c, copy.d);
    struct p7 y = {17, 0x123456789abULL, 0xfffff};
    y.b++;
    printf("%u %llx %x\n", (unsigned)y.a, (unsigned long long)y.b, (unsigned)y.c);
    return 0;
}
