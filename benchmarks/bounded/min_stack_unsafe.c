// A stack that knows its minimum: the bottom is forgotten.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define STEPS 6

int main(void) {
    int value[STEPS], least[STEPS], top = 0;
    for (int step = 0; step < STEPS; step++) {
        if (__VERIFIER_nondet_bool()) {
            int x = __VERIFIER_nondet_int();
            value[top] = x;
            least[top] = top > 1 && least[top - 1] < x ? least[top - 1] : x;
            top++;
        } else if (top > 0) {
            top--;
        }
    }
    for (int i = 0; i < top; i++)
        if (value[i] < least[top - 1]) reach_error();
    return 0;
}
