// strlen of a terminated array.
#include <string.h>

int main(void) {
    char a[4] = "abc";
    return (int)strlen(a);
}
