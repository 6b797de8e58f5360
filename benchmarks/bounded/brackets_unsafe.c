// A stack of brackets accepts only what is balanced: the kind of a bracket is not compared.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 8

int main(void) {
    unsigned char text[N];
    unsigned char stack[N];
    int top = 0, ok = 1;
    int round_open = 0, square_open = 0;
    for (int i = 0; i < N && ok; i++) {
        text[i] = __VERIFIER_nondet_uchar();
        switch (text[i]) {
        case '(': case '[':
            stack[top++] = text[i];
            break;
        case ')':
            if (top == 0 || stack[top - 1] != '(') ok = 0;
            else top--;
            break;
        case ']':
            if (top == 0 || stack[top - 1] == 0) ok = 0;
            else top--;
            break;
        default: break;
        }
        round_open += (text[i] == '(') - (text[i] == ')');
        square_open += (text[i] == '[') - (text[i] == ']');
    }
    if (ok && top == 0 && (round_open != 0 || square_open != 0)) reach_error();
    return 0;
}
