// What only the preprocessor sees: variadic macros, stringizing, pasting, conditionals.
#include <stdio.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define LOG(fmt, ...) printf("[" fmt "]\n", ##__VA_ARGS__)
#define SUM(...) sum((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define LIST X(red) X(green) X(blue)
#define X(name) CAT(c_, name),
enum { LIST COUNT };
#undef X
#define X(name) #name,
static const char *names[] = {LIST};

static int sum(const int *v, int n) {
    int s = 0;
    while (n--) s += v[n];
    return s;
}

#if defined(__GNUC__) && __STDC_VERSION__ >= 201112L && !defined(NOPE)
#define OK 1
#else
#define OK 0
#endif

int main(void) {
    LOG("plain");
    LOG("%d %s", 5, STR(a + "b"));
    printf("%s %d %d %s\n", XSTR(COUNT), COUNT, SUM(1, 2, 3), names[c_blue]);
    int CAT(va, lue) = OK;
    printf("%d\n", value);
#line 500 "other.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return 0;
}
