// A static object can be named by nobody else, and a constant one cannot change.
extern void reach_error(void);
extern void tick(void);
extern void abort(void);
static int hidden = 4;
const int fixed = 5;
int main(void) {
    tick();
    if (hidden != 4 || fixed != 5)
        reach_error();
    abort();
}
