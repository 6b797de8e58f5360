// A ring buffer is a queue: a full buffer is written to.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define SIZE 4
#define STEPS 10

int main(void) {
    int ring[SIZE], model[STEPS];
    unsigned head = 0, count = 0;
    int put = 0, got = 0;
    for (int step = 0; step < STEPS; step++) {
        if (__VERIFIER_nondet_bool()) {
            if (count <= SIZE) {
                int value = __VERIFIER_nondet_int();
                ring[(head + count) % SIZE] = value;
                count++;
                model[put++] = value;
            }
        } else if (count > 0) {
            int value = ring[head];
            head = (head + 1) % SIZE;
            count--;
            if (value != model[got++]) reach_error();
        }
        if ((int)count != put - got) reach_error();
    }
    return 0;
}
