// Loops whose control flow is hard to follow: gotos, nested switches, conditions with effects.
#include <stdio.h>

static int collatz(unsigned long long n) {
    int steps = 0;
top:
    if (n == 1) return steps;
    steps++;
    n = n & 1 ? 3 * n + 1 : n / 2;
    goto top;
}

static int machine(const char *s) {
    int state = 0, score = 0;
    for (;;) {
        switch (state) {
        case 0:
            switch (*s++) {
            case 'a': state = 1; continue;
            case 'b': score += 10; break;
            case 0: return score;
            default: state = 2; continue;
            }
            score++;
            break;
        case 1:
            while (*s == 'a') s++, score += 2;
            state = 0;
            break;
        case 2:
            if (score > 100) goto out;
            score *= 2;
            state = 0;
        }
    }
out:
    return -score;
}

int main(void) {
    printf("%d %d %d\n", collatz(27), collatz(97), collatz(1));
    printf("%d %d %d\n", machine("aaabba"), machine("xbxbxaab"), machine("bbbbxxxxx"));
    int i = 0, n = 0;
    while (i++ < 5 && (n += i) < 12) if (i == 2) continue;
    printf("%d %d\n", i, n);
    for (i = 10; i --> 0;) { if (i % 3) continue; n++; }
    printf("%d %d\n", i, n);
    do { int i = n; n = i - 3; } while (n > 0 && i);
    printf("%d\n", n);
    return 0;
}
