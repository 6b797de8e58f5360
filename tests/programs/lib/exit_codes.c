// exit with a value wider than a byte: only the low byte leaves the process.
#include <stdlib.h>

int main(void) {
    exit(0x1fd);
}
