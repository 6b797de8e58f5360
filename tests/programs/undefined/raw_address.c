// An integer that is no address of an object is read through.
int x = 5;

int main(void) {
    volatile int *reg = (volatile int *)(0x40001234);
    return *reg;
}
