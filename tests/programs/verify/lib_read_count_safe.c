// As many bytes are read as there is room for, or fewer.
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    char b[4];
    long n = read(0, b, 4);
    if (n < -1 || n > 4)
        reach_error();
    return 0;
}
