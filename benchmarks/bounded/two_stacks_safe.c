// A queue made of two stacks.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define STEPS 8

int main(void) {
    int in[STEPS], out[STEPS], model[STEPS];
    int ins = 0, outs = 0, put = 0, got = 0;
    for (int step = 0; step < STEPS; step++) {
        if (__VERIFIER_nondet_bool()) {
            int x = __VERIFIER_nondet_int();
            in[ins++] = x;
            model[put++] = x;
        } else if (ins + outs > 0) {
            if (outs == 0)
                while (ins > 0) out[outs++] = in[--ins];
            if (out[--outs] != model[got++]) reach_error();
        }
    }
    return 0;
}
