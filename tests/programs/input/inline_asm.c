// What assembly gives is an input of the run.
int printf(const char *, ...);
int main(void) {
    int x;
    __asm__ volatile("movl $5, %0" : "=r"(x));
    printf("%d\n", x);
    return 0;
}
