// Statement expressions: values, scopes, control flow out of them, nesting in macros.
#include <stdio.h>

#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

static int early(int x) {
    int y = ({ if (x > 5) return -1; x * 2; });
    return y + 1;
}

struct s { int a, b; };

int main(void) {
    int i = 3, j = 4;
    printf("%d\n", max(i++, j++));
    printf("%d %d\n", i, j);
    printf("%d %g\n", max(max(1, 2), max(0, i)), max(1.5, 0.5));
    printf("%d %d\n", early(5), early(6));
    int n = ({ int s = 0; for (int k = 0; k < 5; k++) { if (k == 3) continue; s += k; } s; });
    printf("%d\n", n);
    printf("%d\n", ({ struct s t = {1, 2}; t; }).b);
    for (int k = 0; k < 10; k++) {
        int v = ({ if (k == 2) break; k; });
        printf("%d ", v);
    }
    ({ printf("void\n"); (void)0; });
    return ({ goto out; 5; });
out:
    return 6;
}
