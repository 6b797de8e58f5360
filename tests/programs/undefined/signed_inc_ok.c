// Small types are computed in int and wrap when stored: no overflow.
#include <limits.h>

int main(void) {
    signed char c = sizeof(signed char) == 1 ? 127 : INT_MAX;
    c++;
    return c < 0;
}
