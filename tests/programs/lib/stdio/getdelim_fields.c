// Fields that end in a character. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *field = 0;
    size_t room = 0;
    while (getdelim(&field, &room, ',', stdin) > 0)
        printf("[%s]\n", field);
    free(field);
    return 0;
}
