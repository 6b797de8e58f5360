// Inline assembly that a run reaches.
int main(void) {
    int x;
    __asm__ volatile("movl $5, %0" : "=r"(x));
    return x;
}
