// A counter of type int runs over its end.
#include <limits.h>

int main(void) {
    int c = sizeof(int) == 1 ? 127 : INT_MAX;
    c++;
    return c < 0;
}
