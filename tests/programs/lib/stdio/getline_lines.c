// Lines of any length. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

int main(void) {
    char *line = 0;
    size_t room = 0;
    ssize_t n;
    while ((n = getline(&line, &room, stdin)) > 0)
        printf("%d %d\n", (int)n, (int)line[n - 1]);
    free(line);
    return 0;
}
