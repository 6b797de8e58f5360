// Strings. Bytes compare as unsigned; searching for the terminator finds it. A section that starts with
// `//@%` is a template over `char` and `wchar_t`: CHAR is the type, @W is `str` or `wcs`, @Q `stp` or `wcp`. What
// compares or takes memory differs, and stands in wchar.c for wide characters.

//@% @Wlen
size_t @Wlen(const CHAR *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

//@% @Wnlen
size_t @Wnlen(const CHAR *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

//@% @Wcpy
CHAR *@Wcpy(CHAR *dst, const CHAR *src) {
    size_t i = 0;
    do
        dst[i] = src[i];
    while (src[i++]);
    return dst;
}

//@% @Qcpy
CHAR *@Qcpy(CHAR *dst, const CHAR *src) {
    while ((*dst = *src)) {
        dst++;
        src++;
    }
    return dst;
}

//@% @Wncpy
CHAR *@Wncpy(CHAR *dst, const CHAR *src, size_t n) {
    size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (; i < n; i++)
        dst[i] = 0;
    return dst;
}

//@% @Qncpy
CHAR *@Qncpy(CHAR *dst, const CHAR *src, size_t n) {
    size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (size_t j = i; j < n; j++)
        dst[j] = 0;
    return dst + i;
}

//@% @Wcat
CHAR *@Wcat(CHAR *dst, const CHAR *src) {
    CHAR *d = dst;
    while (*d)
        d++;
    while ((*d++ = *src++))
        ;
    return dst;
}

//@% @Wncat
CHAR *@Wncat(CHAR *dst, const CHAR *src, size_t n) {
    CHAR *d = dst;
    while (*d)
        d++;
    size_t i = 0;
    for (; i < n && src[i]; i++)
        d[i] = src[i];
    d[i] = 0;
    return dst;
}

//@ strcmp
int strcmp(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
//@= strcmp strcoll

//@ strncmp
int strncmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

//@ strcasecmp
int __model_tolower(int c);
int strcasecmp(const char *a, const char *b) {
    for (;; a++, b++) {
        int x = __model_tolower((unsigned char)*a), y = __model_tolower((unsigned char)*b);
        if (x != y || !x)
            return x - y;
    }
}

//@ strncasecmp
int __model_tolower(int c);
int strncasecmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int x = __model_tolower((unsigned char)a[i]), y = __model_tolower((unsigned char)b[i]);
        if (x != y || !x)
            return x - y;
    }
    return 0;
}

//@% @Wchr
CHAR *@Wchr(const CHAR *s, int c) {
    for (; *s != (CHAR)c; s++)
        if (!*s)
            return 0;
    return (CHAR *)s;
}
//@= strchr index

//@% @Wchrnul
CHAR *@Wchrnul(const CHAR *s, int c) {
    while (*s && *s != (CHAR)c)
        s++;
    return (CHAR *)s;
}

//@% @Wrchr
CHAR *@Wrchr(const CHAR *s, int c) {
    const CHAR *found = 0;
    for (;; s++) {
        if (*s == (CHAR)c)
            found = s;
        if (!*s)
            return (CHAR *)found;
    }
}
//@= strrchr rindex

//@% @Wstr
CHAR *@Wstr(const CHAR *hay, const CHAR *needle) {
    for (;; hay++) {
        size_t i = 0;
        while (needle[i] && hay[i] == needle[i])
            i++;
        if (!needle[i])
            return (CHAR *)hay;
        if (!*hay)
            return 0;
    }
}
//@= wcsstr wcswcs

//@ strcasestr
int __model_tolower(int c);
char *strcasestr(const char *hay, const char *needle) {
    for (;; hay++) {
        size_t i = 0;
        while (needle[i] && __model_tolower((unsigned char)hay[i]) == __model_tolower((unsigned char)needle[i]))
            i++;
        if (!needle[i])
            return (char *)hay;
        if (!*hay)
            return 0;
    }
}

//@% @Wspn
size_t @Wspn(const CHAR *s, const CHAR *accept) {
    size_t n = 0;
    for (; s[n]; n++) {
        size_t i = 0;
        while (accept[i] && accept[i] != s[n])
            i++;
        if (!accept[i])
            break;
    }
    return n;
}

//@% @Wcspn
size_t @Wcspn(const CHAR *s, const CHAR *reject) {
    size_t n = 0;
    for (; s[n]; n++)
        for (size_t i = 0; reject[i]; i++)
            if (reject[i] == s[n])
                return n;
    return n;
}

//@% @Wpbrk
size_t __model_@Wcspn(const CHAR *s, const CHAR *reject);
CHAR *@Wpbrk(const CHAR *s, const CHAR *accept) {
    s += __model_@Wcspn(s, accept);
    return *s ? (CHAR *)s : 0;
}

//@ strtok_r
size_t __model_strspn(const char *s, const char *accept);
size_t __model_strcspn(const char *s, const char *reject);
char *strtok_r(char *s, const char *delimiters, char **save) {
    if (!s)
        s = *save;
    s += __model_strspn(s, delimiters);
    if (!*s) {
        *save = s;
        return 0;
    }
    char *end = s + __model_strcspn(s, delimiters);
    if (*end)
        *end++ = 0;
    *save = end;
    return s;
}
//@= strtok_r __strtok_r

//@ strtok
char *__model_strtok_r(char *s, const char *delimiters, char **save);
char *strtok(char *s, const char *delimiters) {
    static char *save;
    return __model_strtok_r(s, delimiters, &save);
}

//@ strsep
size_t __model_strcspn(const char *s, const char *reject);
char *strsep(char **s, const char *delimiters) {
    char *start = *s;
    if (!start)
        return 0;
    char *end = start + __model_strcspn(start, delimiters);
    if (*end)
        *end++ = 0;
    else
        end = 0;
    *s = end;
    return start;
}

//@% @Wdup
size_t __model_@Wlen(const CHAR *s);
void *malloc(size_t n);
CHAR *@Wdup(const CHAR *s) {
    size_t n = (__model_@Wlen(s) + 1) * sizeof *s;
    CHAR *p = malloc(n);
    if (p)
        __cairn_copy(p, s, n);
    return p;
}
//@= strdup __strdup

//@ strndup
size_t __model_strnlen(const char *s, size_t max);
void *malloc(size_t n);
char *strndup(const char *s, size_t max) {
    size_t n = __model_strnlen(s, max);
    char *p = malloc(n + 1);
    if (p) {
        __cairn_copy(p, s, n);
        p[n] = 0;
    }
    return p;
}

//@% @Wxfrm
size_t __model_@Wlen(const CHAR *s);
size_t @Wxfrm(CHAR *dst, const CHAR *src, size_t n) {
    size_t len = __model_@Wlen(src);
    for (size_t i = 0; i < n && i <= len; i++)
        dst[i] = src[i];
    return len;
}

//@ strerror
int __model_snprintf(char *buf, size_t n, const char *format, ...);
char *strerror(int error) {
    static const char *const text[] = {
        "Success", "Operation not permitted", "No such file or directory", "No such process",
        "Interrupted system call", "Input/output error", "No such device or address", "Argument list too long",
        "Exec format error", "Bad file descriptor", "No child processes", "Resource temporarily unavailable",
        "Cannot allocate memory", "Permission denied", "Bad address", "Block device required",
        "Device or resource busy", "File exists", "Invalid cross-device link", "No such device",
        "Not a directory", "Is a directory", "Invalid argument", "Too many open files in system",
        "Too many open files", "Inappropriate ioctl for device", "Text file busy", "File too large",
        "No space left on device", "Illegal seek", "Read-only file system", "Too many links", "Broken pipe",
        "Numerical argument out of domain", "Numerical result out of range", "Resource deadlock avoided",
        "File name too long", "No locks available", "Function not implemented", "Directory not empty",
        "Too many levels of symbolic links"};
    static char unknown[40];
    if (error >= 0 && error < (int)(sizeof text / sizeof *text))
        return (char *)text[error];
    __model_snprintf(unknown, sizeof unknown, "Unknown error %d", error);
    return unknown;
}

//@ strlcpy
size_t __model_strlen(const char *s);
size_t strlcpy(char *dst, const char *src, size_t room) {
    size_t n = __model_strlen(src);
    if (room > 0) {
        size_t some = n < room ? n : room - 1;
        __cairn_copy(dst, src, some);
        dst[some] = 0;
    }
    return n;
}

//@ strlcat
size_t __model_strlen(const char *s);
size_t __model_strnlen(const char *s, size_t max);
size_t strlcat(char *dst, const char *src, size_t room) {
    size_t had = __model_strnlen(dst, room), n = __model_strlen(src);
    if (had < room) {
        size_t some = n < room - had ? n : room - had - 1;
        __cairn_copy(dst + had, src, some);
        dst[had + some] = 0;
    }
    return had + n;
}

//@ strerror_r
// GNU's: the text need not be in the buffer.
char *__model_strerror(int error);
char *strerror_r(int error, char *buf, size_t n) {
    return __model_strerror(error);
}

//@ __xpg_strerror_r
// Fails with ERANGE if there is too little room, with EINVAL for an unknown error.
char *__model_strerror(int error);
size_t __model_strlcpy(char *dst, const char *src, size_t room);
int __xpg_strerror_r(int error, char *buf, size_t n) {
    size_t len = __model_strlcpy(buf, __model_strerror(error), n);
    return error < 0 || error > 133 ? 22 : len >= n ? 34 : 0;
}

//@ strsignal
int __model_snprintf(char *buf, size_t n, const char *format, ...);
char *strsignal(int signal) {
    static const char *const text[] = {
        "Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted", "Bus error",
        "Floating point exception", "Killed", "User defined signal 1", "Segmentation fault",
        "User defined signal 2", "Broken pipe", "Alarm clock", "Terminated"};
    static char unknown[40];
    if (signal >= 1 && signal <= (int)(sizeof text / sizeof *text))
        return (char *)text[signal - 1];
    __model_snprintf(unknown, sizeof unknown, "Unknown signal %d", signal);
    return unknown;
}

//@ swab
void swab(const void *from, void *to, ptrdiff_t n) {
    const char *s = from;
    char *d = to;
    for (ptrdiff_t i = 0; i + 1 < n; i += 2) {
        char first = s[i];
        d[i] = s[i + 1];
        d[i + 1] = first;
    }
}

//@ memfrob
void *memfrob(void *data, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((char *)data)[i] ^= 42;
    return data;
}

//@ __xpg_basename
// The last part of a path; slashes at its end are cut off in place.
size_t __model_strlen(const char *s);
char *__xpg_basename(char *path) {
    if (!path || !*path)
        return (char *)".";
    size_t n = __model_strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return path[n] ? path + n : path + n - 1;
}

//@ basename
// GNU's: what follows the last slash, perhaps nothing.
char *__model_strrchr(const char *s, int c);
char *basename(const char *path) {
    char *slash = __model_strrchr(path, '/');
    return slash ? slash + 1 : (char *)path;
}

//@ dirname
size_t __model_strlen(const char *s);
char *dirname(char *path) {
    if (!path || !*path)
        return (char *)".";
    size_t n = __model_strlen(path);
    while (n > 0 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return path[0] == '/' ? (char *)"/" : (char *)".";
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (path[n])
        path[n] = 0;
    return path;
}
