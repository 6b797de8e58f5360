// K&R definitions, implicit int parameters, calls without prototypes.
#include <stdio.h>

int add(a, b)
    int a;
    int b;
{
    return a + b;
}

double scale(x, n, c)
    double x;
    short n;
    char c;
{
    return x * n + c;
}

int narrow(f)
    float f;
{
    return (int)(f * 2);
}

int later();

char *skip(s, n) char *s;
{
    return s + n;
}

int main() {
    printf("%d %g %d\n", add(2, 3), scale(1.5, 4, 'A'), narrow(2.25));
    printf("%d %s\n", later(1, 2.5), skip("hello", 2));
    int (*p)() = add;
    printf("%d\n", p(7, 8));
    return 0;
}

int later(i, d)
    int i;
    double d;
{
    return i * 10 + (int)(d * 2);
}
