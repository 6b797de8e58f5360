// asm goto may go to any of its labels.
extern void reach_error(void);

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
    if (way == 3)
        reach_error();
    return 0;
}
