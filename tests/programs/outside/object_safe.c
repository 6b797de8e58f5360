// They are objects: what is written is there, and a _Bool is 0 or 1.
extern void reach_error(void);
extern int table[];
extern _Bool on;
extern void abort(void);
int main(void) {
    table[2] = 5;
    if (table[2] != 5 || (on != 0 && on != 1))
        reach_error();
    abort();
}
