// _Atomic aligns a type for the machine's access of its size, on i386 more than the type itself.
#include <stdio.h>

struct three { char a, b, c; };
struct eight { char bytes[8]; };
typedef _Atomic long long counter;

struct A { char c; _Atomic long long x; };
struct B { char c; _Atomic double x; };
struct C { char c; _Atomic(long long) x; };
struct D { char c; counter x[2]; };
struct E { char c; _Atomic(struct three) x; };
struct F { char c; _Atomic struct eight x; };
struct G { char c; long long x; };
struct H { char c; _Atomic long double x; };
struct I { char c; long long *_Atomic x; };
struct J { char c; _Atomic short x; };

#define SHOW(t) printf(#t " %d %d %d\n", (int)sizeof(struct t), (int)_Alignof(struct t), (int)__builtin_offsetof(struct t, x))

int main(void) {
    SHOW(A);
    SHOW(B);
    SHOW(C);
    SHOW(D);
    SHOW(E);
    SHOW(F);
    SHOW(G);
    SHOW(H);
    SHOW(I);
    SHOW(J);
    printf("%d %d %d\n", (int)_Alignof(_Atomic long long), (int)_Alignof(counter), (int)_Alignof(_Atomic(double)));
    counter n = 3;
    n += 4;
    printf("%d %lld\n", (int)__alignof__(n), n);
    return 0;
}
