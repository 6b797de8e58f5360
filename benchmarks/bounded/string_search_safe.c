// Knuth, Morris and Pratt find what plain search finds.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 9
#define M 3

int main(void) {
    unsigned char text[N], word[M];
    int fail[M];
    for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < M; i++) word[i] = __VERIFIER_nondet_uchar();
    int plain = -1;
    for (int i = N - M; i >= 0; i--) {
        int same = 1;
        for (int j = 0; j < M; j++)
            if (text[i + j] != word[j]) same = 0;
        if (same) plain = i;
    }
    fail[0] = 0;
    for (int i = 1, k = 0; i < M; i++) {
        while (k > 0 && word[i] != word[k]) k = fail[k - 1];
        if (word[i] == word[k]) k++;
        fail[i] = k;
    }
    int found = -1;
    for (int i = 0, k = 0; i < N && found < 0; i++) {
        while (k > 0 && text[i] != word[k]) k = fail[k - 1];
        if (text[i] == word[k]) k++;
        if (k == M) found = i - M + 1;
    }
    if (found != plain) reach_error();
    return 0;
}
