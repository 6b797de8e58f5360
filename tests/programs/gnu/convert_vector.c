// The elements of a vector converted one by one, to wider, narrower, unsigned and floating elements.
#include <stdio.h>

typedef int ints __attribute__((vector_size(16)));
typedef unsigned unsigneds __attribute__((vector_size(16)));
typedef signed char bytes __attribute__((vector_size(4)));
typedef float floats __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(32)));
typedef long long longs __attribute__((vector_size(32)));

int main(void) {
    ints v = {-2, 300, 3, 2147483647};
    bytes b = __builtin_convertvector(v, bytes);
    longs l = __builtin_convertvector((unsigneds)v, longs);
    floats f = __builtin_convertvector(v + 1 - 1, floats);
    doubles d = __builtin_convertvector(f / 4, doubles);
    ints back = __builtin_convertvector(d, ints);
    for (int i = 0; i < 4; i++)
        printf("%d %lld %.1f %.3f %d\n", b[i], l[i], f[i], d[i], back[i]);
    return 0;
}
