// A pointer that is returned may be null, or lead to an object with any contents.
extern void reach_error(void);
struct item {
    int key;
    char kind;
    struct item *next;
};
extern struct item *find(const char *name);
int main(void) {
    struct item *p = find("x");
    if (p && p->key == 5 && p->next && p->next->kind == 'q')
        reach_error();
    return 0;
}
