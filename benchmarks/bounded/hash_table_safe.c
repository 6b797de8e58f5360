// A table with open addressing finds what was inserted.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define SIZE 8
#define N 4

int main(void) {
    unsigned short slot[SIZE] = {0};
    unsigned short keys[N];
    for (int i = 0; i < N; i++) {
        keys[i] = __VERIFIER_nondet_ushort();
        __VERIFIER_assume(keys[i] != 0);
        unsigned h = (keys[i] ^ keys[i] >> 7) % SIZE;
        while (slot[h] != 0 && slot[h] != keys[i]) h = (h + 1) % SIZE;
        slot[h] = keys[i];
    }
    for (int i = 0; i < N; i++) {
        unsigned h = (keys[i] ^ keys[i] >> 7) % SIZE;
        while (slot[h] != keys[i]) {
            if (slot[h] == 0) reach_error();
            h = (h + 1) % SIZE;
        }
    }
    return 0;
}
