#include "two_units.h"

static int hidden = 100;
extern int shared;
int tentative = 42;
struct record table[TABLE] = {{1, "a"}, {2, "b"}, {3, "c"}};

void bump(void) {
    shared += hidden;
    hidden++;
}

static const char *who(void) { return "other"; }
const char *other_who(void) { return who(); }

int total(struct record *r, int n) {
    int s = 0;
    while (n--) s += r[n].id;
    return s;
}

int callback(int (*f)(int), int x) { return f(x) + printer(1); }
