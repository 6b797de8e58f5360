// Labels have their own locations; lifetimes follow jumps in and out of blocks.
int in_and_out(int x) {
    if (x)
        goto in;
    {
        int a[2];
        a[0] = 1;
    in:
        a[1] = x;
        if (x > 5)
            goto out;
    }
out:
    return x;
}
int computed(int i) {
    static void *const table[] = {&&one, &&two};
    goto *table[i];
one:
    return 1;
two:
    return 2;
}
void error(int x) {
    if (x) {
    ERROR:;
    }
}
