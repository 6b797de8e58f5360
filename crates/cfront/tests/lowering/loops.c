// Loops, their heads, and the ways out of them.
int loops(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        if (i == 7)
            break;
        s += i;
    }
    do
        s--;
    while (s > 100);
    while (1) {
        if (s++ == n)
            return s;
    }
}
void lifetimes(int n) {
    for (;;) {
        int a[2];
        a[0] = n;
        if (a[0])
            break;
        {
            char b[4];
            if (b[0])
                goto out;
            if (b[1])
                continue;
        }
    }
out:;
}
