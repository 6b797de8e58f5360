// Memory behind a pointer to a scalar has several elements.
extern void reach_error(void);
extern char *name(void);
int main(void) {
    char *p = name();
    if (p && p[0] == 'a' && p[1] == 'b' && p[2] == 0)
        reach_error();
    return 0;
}
