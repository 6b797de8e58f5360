// Nothing changes behind a pointer to const, nor by a function that is declared to have no effect.
extern void reach_error(void);
extern int look(const int *p);
extern int pure(int *p) __attribute__((pure));
extern int constant(int *p) __attribute__((const));
extern void abort(void);
int main(void) {
    int x = 1;
    look(&x);
    pure(&x);
    constant(&x);
    if (x != 1)
        reach_error();
    abort();
}
