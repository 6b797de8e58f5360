// A pointer is stored through one of which only a loop knows where it points, and read as a number.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s {
    int *p;
    int v;
} a[4];
int x;

int main(void) {
    int n = __VERIFIER_nondet_int();
    struct s *q = a;
    for (int i = 0; i < n; i++) {
        q->p = &x;
        q = &a[i & 3];
        unsigned *w = (unsigned *)q;
        if (w[0] == 0x55554)
            reach_error();
    }
    return 0;
}
