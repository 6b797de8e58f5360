// A proof holds for the arguments that were considered, and the verdict says so.
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 1 && strlen(argv[1]) > 4)
        reach_error();
    if (argv[argc] != 0)
        reach_error();
    return 0;
}
