// Two translation units: externs, statics with one name, tentative definitions, shared types.
#include <stdio.h>
#include "two_units.h"

static int hidden = 1;
int shared;
int tentative;
int tentative;
extern struct record table[];
static const char *who(void) { return "main"; }

int main(void) {
    shared = 5;
    bump();
    bump();
    printf("%d %d %d\n", shared, hidden, tentative);
    printf("%s %s\n", who(), other_who());
    for (int i = 0; i < TABLE; i++) printf("%d:%s ", table[i].id, table[i].name);
    printf("%d\n", total(table, TABLE));
    printf("%d\n", callback(printer, 3));
    return 0;
}

int printer(int x) {
    printf("printer %d\n", x);
    return x * x;
}
