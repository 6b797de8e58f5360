// asm goto: to one of the labels, or on.
extern void reach_error(void);
extern void abort(void);

int main(void) {
    int way = 0;
    __asm__ goto("jc %l[carry]" : : : : carry, zero);
    way = 1;
    goto done;
carry:
    way = 2;
    goto done;
zero:
    way = 3;
done:
    if (way < 1 || way > 3)
        reach_error();
    abort();
}
