// The "C" locale is the only one there is, also where the environment is asked: nothing
// but "C", "POSIX" and "" can be set.

//@ setlocale
// Gives null for any other locale, and for a category that does not exist.
int __model_strcmp(const char *a, const char *b);
char *setlocale(int category, const char *name) {
    static char current[] = "C";
    if (category < 0 || category > 12)
        return 0;
    if (!name || !*name || __model_strcmp(name, "C") == 0 || __model_strcmp(name, "POSIX") == 0)
        return current;
    return 0;
}

//@ localeconv
// The members of glibc's record: ten strings, then numbers that are not available.
struct lconv {
    char *text[10];
    char number[14];
};
struct lconv *localeconv(void) {
    static char empty[1], point[] = ".";
    static struct lconv conventions;
    for (int i = 0; i < 10; i++)
        conventions.text[i] = empty;
    conventions.text[0] = point;
    for (int i = 0; i < 14; i++)
        conventions.number[i] = 127;
    return &conventions;
}

//@ nl_langinfo
// Some text: which one is not said.
char __cairn_input_nl_langinfo(void);
char *nl_langinfo(int item) {
    static char text[32];
    for (int i = 0; i < 31; i++)
        text[i] = __cairn_input_nl_langinfo();
    text[31] = 0;
    return text;
}

//@ newlocale
// Null with ENOENT, or the locale "C".
int *__errno_location(void);
int __cairn_input_newlocale(void);
void *newlocale(int mask, const char *name, void *base) {
    static int locale;
    if (__cairn_input_newlocale() != 0) {
        *__errno_location() = 2; // ENOENT
        return 0;
    }
    return &locale;
}

//@ freelocale
void freelocale(void *locale) {}

//@ uselocale
void *uselocale(void *locale) {
    return (void *)-1; // LC_GLOBAL_LOCALE
}
