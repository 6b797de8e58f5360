// Run lengths are expanded to the text they came from.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 5

int main(void) {
    unsigned char in[N], value[N], count[N], out[N];
    int runs = 0;
    for (int i = 0; i < N; i++) in[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < N;) {
        int j = i;
        while (j < N && in[j] == in[i]) j++;
        value[runs] = in[i];
        count[runs++] = (unsigned char)(j - i);
        i = j;
    }
    int m = 0;
    for (int r = 0; r < runs; r++)
        for (int k = 0; k < count[r]; k++) out[m++] = value[r];
    if (m != N) reach_error();
    for (int i = 0; i < N; i++)
        if (in[i] != out[i]) reach_error();
    return 0;
}
