// memcpy writes past the end of its target.
#include <string.h>

int main(void) {
    char from[16] = "0123456789", to[8];
    memcpy(to, from, 12);
    return to[7];
}
