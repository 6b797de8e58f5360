// Arguments are any strings.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc < 2) {
        puts("usage");
        return 1;
    }
    if (strcmp(argv[1], "-x") == 0 && argc == 2)
        reach_error();
    printf("%s %d\n", argv[1], argv[argc] == 0);
    return 0;
}
