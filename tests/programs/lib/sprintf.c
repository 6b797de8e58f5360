// sprintf, snprintf with truncation, puts, putchar, fputs, fputc, fprintf to stdout.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buf[20];
    int n = sprintf(buf, "%d-%s", 12, "ab");
    printf("%d %s\n", n, buf);
    n = snprintf(buf, 5, "%s", "truncated");
    printf("%d %s\n", n, buf);
    n = snprintf(NULL, 0, "%d%d", 100, 200);
    printf("%d\n", n);
    memset(buf, 'x', sizeof buf);
    n = snprintf(buf, 1, "full");
    printf("%d %d %c\n", n, buf[0], buf[1]);
    puts("line");
    putchar('A');
    fputc('B', stdout);
    putc('C', stdout);
    fputs("DE\n", stdout);
    fprintf(stdout, "%s %d\n", "to stdout", 1);
    fwrite("raw\n", 1, 4, stdout);
    fflush(stdout);
    fprintf(stderr, "this goes elsewhere\n");
    char big[300];
    n = snprintf(big, sizeof big, "%200d|%-50s|", 7, "pad");
    printf("%d %zu\n", n, strlen(big));
    return 0;
}
