// Options are found behind other arguments.
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    char *argv[] = {"p", "x", "-a", 0};
    int c = getopt(3, argv, "a"), d = getopt(3, argv, "a");
    if (c == 'a' && argv[2][0] == 'x')
        reach_error();
    return 0;
}
