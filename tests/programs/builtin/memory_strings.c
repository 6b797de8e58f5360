// Library functions under their __builtin names.
#include <stdio.h>

int main(void) {
    char buf[32];
    __builtin_memset(buf, 'x', sizeof buf);
    __builtin_strcpy(buf, "hello");
    __builtin_strcat(buf, " there");
    printf("%s %zu %d\n", buf, __builtin_strlen(buf), __builtin_strcmp(buf, "hellp") < 0);
    printf("%d %d\n", __builtin_memcmp("abc", "abd", 2), __builtin_strncmp("abc", "abd", 3) < 0);
    __builtin_memmove(buf + 2, buf, 5);
    printf("%s %s\n", buf, __builtin_strchr(buf, 'r'));
    int *p = __builtin_alloca(4 * sizeof(int));
    for (int i = 0; i < 4; i++) p[i] = i * i;
    printf("%d %d\n", p[3], __builtin_abs(-4));
    char *m = __builtin_malloc(4);
    __builtin_memcpy(m, "abc", 4);
    printf("%s\n", m);
    __builtin_free(m);
    __builtin_printf("%d %s\n", 5, "x");
    printf("%g %g %d %d\n", __builtin_fabs(-2.5), __builtin_inf(), __builtin_isnan(__builtin_nan("")) != 0, __builtin_isinf_sign(-__builtin_inf()));
    printf("%d\n", __builtin_signbit(-1.0) != 0);
    __builtin_exit(3);
}
