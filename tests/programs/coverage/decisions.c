// Every kind of decision, each with all its outcomes: `&&` and `||` in conditions and as values, `?:`,
// loops, `switch` with ranges of cases and without default, an `if` with nothing in it.
extern int __VERIFIER_nondet_int(void);

static int shape(int a, int b) {
    if (a > 0 && (b < 3 || b == 10))
        return 1;
    if (!(a < -5))
        ;
    return a == 7 ? 2 : 3;
}

static int pick(int c) {
    int n = 0;
    switch (c) {
    case 1:
        n = 1;
    case 2:
        n += 2;
        break;
    case 10 ... 20:
        return 5;
    }
    return n;
}

static int many(int c) {
    switch (c) {
    case -3: return 1;
    case 0: return 2;
    case 5: return 3;
    case 6: return 4;
    case 700: return 5;
    case 7000: return 6;
    default: return 0;
    }
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int both = a == 4 && b == 4;
    int s = shape(a, b) + pick(b) + many(a);
    for (int i = 0; i < 3; i++) {
        do {
            s--;
        } while (s > 100);
        if (both)
            continue;
        s++;
    }
    while (a > 1000 && a < 1003)
        a++;
    return s == 0;
}
