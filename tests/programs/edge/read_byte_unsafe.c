// What is read from standard input is any byte.
#include <assert.h>
#include <unistd.h>

int main(void) {
    char b = 0;
    if (read(0, &b, 1) == 1)
        assert(b != 'q');
    return 0;
}
