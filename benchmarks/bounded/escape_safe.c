// Escaping and unescaping gives the text back.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define N 5

int main(void) {
    char in[N], escaped[2 * N], out[2 * N];
    int n = 0, m = 0;
    for (int i = 0; i < N; i++) in[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < N; i++) {
        char c = in[i];
        if (c == '\\' || c == '"' || c == '\n') {
            escaped[n++] = '\\';
            escaped[n++] = c == '\n' ? 'n' : c;
        } else {
            escaped[n++] = c;
        }
    }
    for (int i = 0; i < n; i++) {
        if (escaped[i] == '\\') {
            i++;
            out[m++] = escaped[i] == 'n' ? '\n' : escaped[i];
        } else {
            out[m++] = escaped[i];
        }
    }
    if (m != N) reach_error();
    for (int i = 0; i < N; i++)
        if (in[i] != out[i]) reach_error();
    return 0;
}
