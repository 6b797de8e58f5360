// The head runs one slot too far.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 4
static int ring[SIZE + 1], head, count;

static int put(int v) {
    if (count == SIZE) return 0;
    ring[(head + count) % SIZE] = v;
    count++;
    return 1;
}

static int get(void) {
    int v = ring[head];
    head = (head + 1) % (SIZE + 1);
    count--;
    return v;
}

int main(void) {
    int next_in = 0, next_out = 0;
    for (int i = 0; i < 20; i++) {
        if (__VERIFIER_nondet_int()) {
            if (put(next_in)) next_in++;
        } else if (count > 0) {
            if (get() != next_out++) reach_error();
        }
    }
    return 0;
}
