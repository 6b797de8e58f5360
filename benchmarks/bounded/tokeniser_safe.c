// Counting words with a state and by their beginnings is the same.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define N 14

static int is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

int main(void) {
    char text[N];
    int words = 0, inside = 0, starts = 0;
    for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < N; i++) {
        if (is_space(text[i])) inside = 0;
        else if (!inside) {
            inside = 1;
            words++;
        }
    }
    for (int i = 0; i < N; i++)
        if (!is_space(text[i]) && (i == 0 || is_space(text[i - 1]))) starts++;
    if (words != starts) reach_error();
    return 0;
}
