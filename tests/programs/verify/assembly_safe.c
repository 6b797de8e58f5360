// Assembly that says what it changes: the outputs are any value, everything else stays.
extern void reach_error(void);
extern void abort(void);
struct state { int known; unsigned char bytes[6]; };

int main(void) {
    int kept = 5, changed = 1, also;
    struct state s = {3, {1, 2, 3, 4, 5, 6}};
    int *p = &changed;
    __asm__ volatile("xadd %0, %1" : "+r"(*p), "=m"(s.bytes) : "r"(kept), "m"(s.known) : "cc");
    __asm__("cpuid" : "=a"(also) : "0"(kept) : "ebx", "ecx", "edx");
    if (kept != 5 || s.known != 3)
        reach_error();
    if ((changed & 1) != 0 && (changed & 1) != 1)
        reach_error();
    if (changed != 1 && also == 7 && s.bytes[2] != 3)
        abort();
    return 0;
}
