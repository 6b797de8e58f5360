// Wide strings, as far as they are not like strings of bytes (string.c). `wchar_t` is `int` in both data
// models; characters compare as such. No function here fails but `wcsdup` (ENOMEM, as `malloc`) and the
// conversions of numbers (ERANGE). `//@#` is a template over the types of `strtol` and its kind: NUMBER is the
// type, @T the suffix.

//@ wcscmp
int wcscmp(const wchar_t *a, const wchar_t *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a < *b ? -1 : *a > *b;
}
//@= wcscmp wcscoll

//@ wcsncmp
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return a[i] < b[i] ? -1 : a[i] > b[i];
    return 0;
}

//@ wcscasecmp
wint_t __model_towlower(wint_t c);
int wcscasecmp(const wchar_t *a, const wchar_t *b) {
    for (;; a++, b++) {
        int x = (int)__model_towlower((wint_t)*a), y = (int)__model_towlower((wint_t)*b);
        if (x != y || !x)
            return x - y;
    }
}

//@ wcsncasecmp
wint_t __model_towlower(wint_t c);
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int x = (int)__model_towlower((wint_t)a[i]), y = (int)__model_towlower((wint_t)b[i]);
        if (x != y || !x)
            return x - y;
    }
    return 0;
}

//@ wcstok
size_t __model_wcsspn(const wchar_t *s, const wchar_t *accept);
size_t __model_wcscspn(const wchar_t *s, const wchar_t *reject);
wchar_t *wcstok(wchar_t *s, const wchar_t *delimiters, wchar_t **save) {
    if (!s) {
        s = *save;
        if (!s)
            return 0;
    }
    s += __model_wcsspn(s, delimiters);
    if (!*s) {
        *save = 0;
        return 0;
    }
    wchar_t *end = s + __model_wcscspn(s, delimiters);
    if (*end) {
        *end++ = 0;
        *save = end;
    } else
        *save = 0;
    return s;
}

//@ wmemcpy
wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n) {
    __cairn_copy(dst, src, n * sizeof *dst);
    return dst;
}

//@ wmempcpy
wchar_t *wmempcpy(wchar_t *dst, const wchar_t *src, size_t n) {
    __cairn_copy(dst, src, n * sizeof *dst);
    return dst + n;
}

//@ wmemmove
wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n) {
    __cairn_move(dst, src, n * sizeof *dst);
    return dst;
}

//@ wmemset
wchar_t *wmemset(wchar_t *dst, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        dst[i] = c;
    return dst;
}

//@ wmemcmp
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

//@ wmemchr
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)(s + i);
    return 0;
}

//@ __cairn_narrow
// A wide number as a string of bytes: all of it that a number may consist of.
char *__cairn_narrow(const wchar_t *text) {
    size_t n = 0;
    while (text[n] > 0 && text[n] < 128)
        n++;
    char *copy = __cairn_alloc(n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = (char)text[i];
    copy[n] = 0;
    return copy;
}

//@# wcsto@T
char *__cairn_narrow(const wchar_t *text);
NUMBER __model_strto@T(const char *text, char **end, int base);
NUMBER wcsto@T(const wchar_t *text, wchar_t **end, int base) {
    char *copy = __cairn_narrow(text), *stop;
    NUMBER value = __model_strto@T(copy, &stop, base);
    if (end)
        *end = (wchar_t *)text + (stop - copy);
    __cairn_free(copy);
    return value;
}
//@= wcstoll wcstoq wcstoimax
//@= wcstoull wcstouq wcstoumax

//@* wcsto@C
char *__cairn_narrow(const wchar_t *text);
REAL __model_strto@C(const char *text, char **end);
REAL wcsto@C(const wchar_t *text, wchar_t **end) {
    char *copy = __cairn_narrow(text), *stop;
    REAL value = __model_strto@C(copy, &stop);
    if (end)
        *end = (wchar_t *)text + (stop - copy);
    __cairn_free(copy);
    return value;
}

//@ wcwidth
// Of the "C" locale: printable characters of ASCII take one column.
int wcwidth(wchar_t c) {
    return c == 0 ? 0 : c >= 32 && c <= 126 ? 1 : -1;
}

//@ wcswidth
int wcswidth(const wchar_t *s, size_t n) {
    int width = 0;
    for (size_t i = 0; i < n && s[i]; i++) {
        if (s[i] < 32 || s[i] > 126)
            return -1;
        width++;
    }
    return width;
}

//@ vswprintf
// -1 if there is no room. The text is formatted as bytes, which are its characters as long as all are
// ASCII; with others it is any text, or -1 with any error.
size_t __model_wcslen(const wchar_t *s);
int __model_vsnprintf(char *buf, size_t n, const char *format, va_list ap);
int __cairn_fail(void);
int __cairn_input_swprintf(void);
static int any(wchar_t *buf, size_t n) {
    int length = __cairn_input_swprintf();
    if (length < 0 || (size_t)length >= n)
        return __cairn_fail();
    for (int i = 0; i < length; i++)
        buf[i] = __cairn_input_swprintf();
    buf[length] = 0;
    return length;
}
int vswprintf(wchar_t *buf, size_t n, const wchar_t *format, va_list ap) {
    size_t k = __model_wcslen(format);
    char *narrow = __cairn_alloc(k + 1);
    int ascii = 1, length;
    for (size_t i = 0; i <= k; i++) {
        ascii &= format[i] >= 0 && format[i] < 128;
        narrow[i] = (char)format[i];
    }
    length = ascii ? __model_vsnprintf(0, 0, narrow, ap) : -1;
    if (length < 0) {
        __cairn_free(narrow);
        return any(buf, n);
    }
    char *text = __cairn_alloc((size_t)length + 1);
    __model_vsnprintf(text, (size_t)length + 1, narrow, ap);
    // What is written where there is no room is not said.
    int fits = (size_t)length < n;
    for (size_t i = 0; i < n && i <= (size_t)length; i++) {
        buf[i] = fits ? text[i] : __cairn_input_swprintf();
        ascii &= text[i] >= 0;
    }
    __cairn_free(narrow);
    __cairn_free(text);
    return fits && ascii ? length : __cairn_fail();
}

//@ swprintf
int __model_vswprintf(wchar_t *buf, size_t n, const wchar_t *format, va_list ap);
int swprintf(wchar_t *buf, size_t n, const wchar_t *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    return __model_vswprintf(buf, n, format, ap);
}
