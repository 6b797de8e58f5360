// A dispatch table never calls the forbidden handler.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int calls;
static void fine(void) { calls++; }
static void forbidden(void) { reach_error(); }
static void (*const table[4])(void) = {fine, fine, forbidden, fine};

int main(void) {
    for (int i = 0; i < 5; i++) {
        int k = __VERIFIER_nondet_int();
        if (k < 0 || k > 3) continue;
        table[k]();
    }
    return calls > 5;
}
