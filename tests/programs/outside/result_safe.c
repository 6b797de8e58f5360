// What is written to the object that a returned pointer leads to is there.
extern void reach_error(void);
struct item {
    int key;
    struct item *next;
};
extern struct item *find(const char *name);
extern void abort(void);
int main(void) {
    struct item *p = find("x");
    if (!p)
        abort();
    p->key = 3;
    if (p->key != 3)
        reach_error();
    abort();
}
