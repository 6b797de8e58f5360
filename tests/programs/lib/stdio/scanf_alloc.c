// Strings that scanf allocates.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *s = 0, *t = 0;
    int r = scanf("%ms %m[0-9]", &s, &t);
    printf("%d %s %s\n", r, s ? s : "-", r == 2 ? t : "-");
    free(s);
    if (r == 2)
        free(t);
    return 0;
}
