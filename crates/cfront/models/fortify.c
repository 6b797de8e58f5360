// What glibc's headers call with -D_FORTIFY_SOURCE: the plain function behind a
// check of the object's size, which gcc passes where it knows it.

//@ __chk_fail
__attribute__((noreturn)) void __chk_fail(void) {
    __cairn_write(2, "*** buffer overflow detected ***: terminated\n", 45);
    __cairn_abort();
}

//@ __memcpy_chk
void __chk_fail(void);
void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room) {
    if (n > room)
        __chk_fail();
    __cairn_copy(dst, src, n);
    return dst;
}

//@ __mempcpy_chk
void __chk_fail(void);
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room) {
    if (n > room)
        __chk_fail();
    __cairn_copy(dst, src, n);
    return (char *)dst + n;
}

//@ __memmove_chk
void __chk_fail(void);
void *__memmove_chk(void *dst, const void *src, size_t n, size_t room) {
    if (n > room)
        __chk_fail();
    __cairn_move(dst, src, n);
    return dst;
}

//@ __memset_chk
void __chk_fail(void);
void *__memset_chk(void *dst, int byte, size_t n, size_t room) {
    if (n > room)
        __chk_fail();
    __cairn_fill(dst, byte, n);
    return dst;
}

//@ __strcpy_chk
void __chk_fail(void);
size_t __model_strlen(const char *s);
char *__strcpy_chk(char *dst, const char *src, size_t room) {
    size_t n = __model_strlen(src) + 1;
    if (n > room)
        __chk_fail();
    __cairn_copy(dst, src, n);
    return dst;
}

//@ __stpcpy_chk
void __chk_fail(void);
size_t __model_strlen(const char *s);
char *__stpcpy_chk(char *dst, const char *src, size_t room) {
    size_t n = __model_strlen(src);
    if (n >= room)
        __chk_fail();
    __cairn_copy(dst, src, n + 1);
    return dst + n;
}

//@ __strncpy_chk
void __chk_fail(void);
char *__model_strncpy(char *dst, const char *src, size_t n);
char *__strncpy_chk(char *dst, const char *src, size_t n, size_t room) {
    if (n > room)
        __chk_fail();
    return __model_strncpy(dst, src, n);
}

//@ __strcat_chk
void __chk_fail(void);
size_t __model_strlen(const char *s);
char *__model_strcat(char *dst, const char *src);
char *__strcat_chk(char *dst, const char *src, size_t room) {
    if (__model_strlen(dst) + __model_strlen(src) >= room)
        __chk_fail();
    return __model_strcat(dst, src);
}

//@ __strncat_chk
void __chk_fail(void);
size_t __model_strlen(const char *s);
size_t __model_strnlen(const char *s, size_t max);
char *__model_strncat(char *dst, const char *src, size_t n);
char *__strncat_chk(char *dst, const char *src, size_t n, size_t room) {
    if (__model_strlen(dst) + __model_strnlen(src, n) >= room)
        __chk_fail();
    return __model_strncat(dst, src, n);
}

//@ __printf_chk
int __printf_chk(int flag, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_printf(1, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ __vprintf_chk
int __vprintf_chk(int flag, const char *format, va_list ap) {
    return __cairn_printf(1, format, __cairn_va_area(ap));
}

//@ __fprintf_chk
int __model_vfprintf(FILE *stream, const char *format, va_list ap);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __model_vfprintf(stream, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ __vfprintf_chk
int __model_vfprintf(FILE *stream, const char *format, va_list ap);
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list ap) {
    return __model_vfprintf(stream, format, ap);
}

//@ __vsnprintf_chk
void __chk_fail(void);
int __model_vsnprintf(char *buf, size_t n, const char *format, va_list ap);
int __vsnprintf_chk(char *buf, size_t n, int flag, size_t room, const char *format, va_list ap) {
    if (n > room)
        __chk_fail();
    return __model_vsnprintf(buf, n, format, ap);
}

//@ __snprintf_chk
void __chk_fail(void);
int __model_vsnprintf(char *buf, size_t n, const char *format, va_list ap);
int __snprintf_chk(char *buf, size_t n, int flag, size_t room, const char *format, ...) {
    va_list ap;
    if (n > room)
        __chk_fail();
    __builtin_va_start(ap, format);
    int len = __model_vsnprintf(buf, n, format, ap);
    __builtin_va_end(ap);
    return len;
}

//@ __vsprintf_chk
void __chk_fail(void);
int __model_vsnprintf(char *buf, size_t n, const char *format, va_list ap);
int __vsprintf_chk(char *buf, int flag, size_t room, const char *format, va_list ap) {
    if (room <= 0x7fffffff && __model_vsnprintf(0, 0, format, ap) >= (int)room)
        __chk_fail();
    return __model_vsnprintf(buf, 0x7fffffff, format, ap);
}

//@ __sprintf_chk
int __model___vsprintf_chk(char *buf, int flag, size_t room, const char *format, va_list ap);
int __sprintf_chk(char *buf, int flag, size_t room, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __model___vsprintf_chk(buf, flag, room, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ __fgets_chk
void __chk_fail(void);
char *__model_fgets(char *buf, int n, FILE *stream);
char *__fgets_chk(char *buf, size_t room, int n, FILE *stream) {
    if (n > 0 && (size_t)n > room)
        __chk_fail();
    return __model_fgets(buf, n, stream);
}
