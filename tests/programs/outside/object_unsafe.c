// Objects that nobody defines have any contents.
extern void reach_error(void);
extern int table[];
extern struct settings {
    int level;
    unsigned char flags;
    _Bool on;
} settings;
extern const int limit;
int main(void) {
    if (table[3] == 7 && settings.flags == 9 && settings.on && limit < 2)
        reach_error();
    return 0;
}
