// The string functions: copying, comparing, searching, tokenising.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static int sign(int v) { return (v > 0) - (v < 0); }

int main(void) {
    char buf[64];
    strcpy(buf, "alpha");
    strcat(buf, "-beta");
    strncat(buf, "-gamma", 3);
    printf("%s %zu %zu\n", buf, strlen(buf), strnlen(buf, 4));
    char n[8];
    memset(n, 'z', 8);
    strncpy(n, "ab", 5);
    for (int i = 0; i < 8; i++) printf("%d ", n[i]);
    printf("\n%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("", ""), sign(strcmp("\xff", "a")));
    printf("%d %d\n", strncmp("abcd", "abxx", 2), sign(strncmp("abcd", "abxx", 3)));
    printf("%s %s %d\n", strchr(buf, '-'), strrchr(buf, '-'), strchr(buf, 'Q') == 0);
    printf("%d %d\n", *strchr("abc", 0), strrchr("abc", 'x') == 0);
    printf("%s %d %s\n", strstr(buf, "beta"), strstr(buf, "delta") == 0, strstr("abc", ""));
    printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("hello, world", " ,"), strpbrk("hello, world", ",o"));
    char tok[] = "one,two;;three";
    for (char *t = strtok(tok, ",;"); t; t = strtok(0, ",;")) printf("[%s]", t);
    printf("\n");
    char *d = strdup(buf);
    d[0] = 'A';
    printf("%s %s\n", d, buf);
    free(d);
    d = strndup("truncate", 5);
    printf("%s\n", d);
    free(d);
    printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("abX", "ABy", 3)));
    char *end = stpcpy(buf, "end");
    printf("%td\n", end - buf);
    return 0;
}
