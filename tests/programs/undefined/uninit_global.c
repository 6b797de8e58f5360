// A global variable gets what nobody has set, and another function uses it.
static int kept;
static void keep(int *p) { kept = p[1]; }
static int use(void) { return kept > 0; }

int main(void) {
    int a[2];
    a[0] = 1;
    keep(a);
    return use();
}
