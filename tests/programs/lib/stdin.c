// Reading standard input by getchar, fgets and scanf.
#include <stdio.h>

int main(void) {
    int a = 0, c;
    while ((c = getchar()) >= '0' && c <= '9') a = a * 10 + c - '0';
    char line[32];
    if (fgets(line, sizeof line, stdin)) printf("%d %c [%s]\n", a, c, line);
    if (fgets(line, sizeof line, stdin)) printf("[%s]\n", line);
    printf("%d %d\n", fgets(line, sizeof line, stdin) == NULL, getchar() == EOF);
    return 0;
}
