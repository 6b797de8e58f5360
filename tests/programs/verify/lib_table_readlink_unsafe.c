// A table says how much is written.
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    char b[4] = "abc";
    long n = readlink("link", b, 3);
    if (n == 1 && b[0] == 'x')
        reach_error();
    return 0;
}
