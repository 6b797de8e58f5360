// strlen of an array without a terminating zero.
#include <string.h>

int main(void) {
    char a[3] = "abc";
    return (int)strlen(a);
}
