// The address of an object as an integer is read through.
int x = 5;

int main(void) {
    volatile int *reg = (volatile int *)((unsigned long)&x);
    return *reg;
}
