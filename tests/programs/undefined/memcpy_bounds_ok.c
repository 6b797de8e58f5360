// memcpy fills its target exactly.
#include <string.h>

int main(void) {
    char from[16] = "0123456789", to[8];
    memcpy(to, from, 8);
    return to[7];
}
