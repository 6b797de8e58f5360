// The output of assembly is any value.
extern void reach_error(void);

static unsigned flags(void) {
    unsigned value;
    __asm__ volatile("pushf; pop %0" : "=r"(value) : : "memory");
    return value;
}

int main(void) {
    if (flags() == 0x12345)
        reach_error();
    return 0;
}
