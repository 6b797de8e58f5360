// Functions that return structs and unions of all sizes, used directly.
#include <stdio.h>

struct s1 { char a; };
struct s3 { char a[3]; };
struct s8 { int a, b; };
struct s16 { double a; long long b; };
struct s40 { int v[10]; };
union u { float f; int i; };

static struct s1 f1(int x) { return (struct s1){x}; }
static struct s3 f3(int x) { return (struct s3){{x, x + 1, x + 2}}; }
static struct s8 f8(int x) { struct s8 s = {x, -x}; return s; }
static struct s16 f16(int x) { return (struct s16){x / 2.0, (long long)x << 33}; }
static struct s40 f40(int x) { struct s40 s; for (int i = 0; i < 10; i++) s.v[i] = i * x; return s; }
static union u fu(float f) { return (union u){.f = f}; }
static struct s8 swap(struct s8 s) { return (struct s8){s.b, s.a}; }

int main(void) {
    printf("%d %d %d %g %lld %d %x\n", f1(3).a, f3(4).a[2], f8(5).b, f16(7).a, f16(7).b, f40(3).v[9], fu(1.0f).i);
    struct s8 t = swap(swap(swap(f8(9))));
    printf("%d %d\n", t.a, t.b);
    struct s40 a = f40(2), b;
    b = a;
    b.v[1] = 100;
    printf("%d %d\n", a.v[1], b.v[1]);
    t = t.a > 0 ? f8(1) : f8(2);
    printf("%d\n", t.a);
    struct s16 (*p)(int) = f16;
    printf("%g\n", (*p)(5).a + p(6).a);
    return 0;
}
