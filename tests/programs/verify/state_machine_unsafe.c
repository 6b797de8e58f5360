// The loop ends without holding the lock.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { UNLOCKED, LOCKED };
static int lock = UNLOCKED;

static void acquire(void) {
    if (lock == LOCKED) reach_error();
    lock = LOCKED;
}

static void release(void) {
    if (lock == UNLOCKED) reach_error();
    lock = UNLOCKED;
}

int main(void) {
    int old, new = 0;
    do {
        acquire();
        old = new;
        if (__VERIFIER_nondet_int()) {
            release();
            new = old;
        }
    } while (new != old);
    release();
    return 0;
}
