// Command-line arguments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == 0);
    int total = 0;
    for (int i = 1; i < argc; i++) {
        printf("%s %zu\n", argv[i], strlen(argv[i]));
        total += atoi(argv[i]);
    }
    if (argc > 1) argv[1][0] = 'O';
    printf("%s %d\n", argc > 1 ? argv[1] : "-", total);
    return argc;
}
