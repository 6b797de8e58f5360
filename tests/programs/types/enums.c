// Enumerations: values, negative, wide, forward use, as array sizes and in switches.
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, ALIAS = RED, LAST = 0x7fffffff };
enum sign { MINUS = -1, ZERO, PLUS };
enum big { HUGE = 0xffffffffU, SMALL = 1 };
enum __attribute__((packed)) tiny { T1 = 200 };
typedef enum { ONE = 1, TWO, THREE } number;
enum { LEN = THREE * 2 };

static const char *name(enum color c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    default: return "none";
    }
}

int main(void) {
    int arr[LEN] = {[TWO] = 2};
    printf("%s %s %s %s\n", name(ALIAS), name(GREEN), name(GREEN + 1), name(3));
    printf("%d %d %d\n", LAST, BLUE, (int)(sizeof arr / sizeof *arr));
    enum sign s = MINUS;
    printf("%d %d\n", s < 0, s < ZERO);
    enum color c = RED;
    c--;
    printf("%d\n", c > GREEN);
    printf("%zu %zu %zu %zu\n", sizeof(enum color), sizeof(enum sign), sizeof(enum big), sizeof(enum tiny));
    printf("%d %d\n", HUGE > 0, (HUGE + 1 == 0));
    number n = 1;
    n |= TWO;
    for (enum color k = GREEN; k <= BLUE; k++) printf("%d ", k);
    printf("%d\n", n);
    return 0;
}
