// A table says that a name is terminated.
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    char b[4];
    if (gethostname(b, 4) < 0)
        return 0;
    if (b[0] && b[1] && b[2] && b[3])
        reach_error();
    return 0;
}
