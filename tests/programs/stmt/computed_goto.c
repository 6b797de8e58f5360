// Labels as values: a threaded interpreter with a static table, and label differences.
#include <stdio.h>

static int interpret(const unsigned char *code) {
    static void *table[] = {&&halt, &&push, &&add, &&mul, &&jnz, &&dec};
    int stack[16], sp = 0;
    const unsigned char *pc = code;
    goto *table[*pc++];
push:
    stack[sp++] = *pc++;
    goto *table[*pc++];
add:
    sp--;
    stack[sp - 1] += stack[sp];
    goto *table[*pc++];
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    goto *table[*pc++];
dec:
    stack[sp - 1]--;
    goto *table[*pc++];
jnz:
    pc = stack[sp - 1] ? code + *pc : pc + 1;
    goto *table[*pc++];
halt:
    return stack[sp - 1];
}

int main(void) {
    unsigned char a[] = {1, 6, 1, 7, 3, 1, 5, 2, 0};
    unsigned char b[] = {1, 9, 5, 4, 2, 0};
    printf("%d %d\n", interpret(a), interpret(b));
    void *p = &&second;
    int count = 0;
first:
    count++;
    if (count < 3) goto *p;
    printf("%d\n", count);
    return 0;
second:
    count += 10;
    p = &&first;
    goto *p;
}
