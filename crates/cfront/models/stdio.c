// Standard input and output. There are no other files.

//@ __cairn_files
// The three streams: as large as glibc's, so that code may look into them.
char __cairn_files[3][216];

//@ stdin
extern char __cairn_files[3][216];
FILE *stdin = (FILE *)__cairn_files[0];

//@ stdout
extern char __cairn_files[3][216];
FILE *stdout = (FILE *)__cairn_files[1];

//@ stderr
extern char __cairn_files[3][216];
FILE *stderr = (FILE *)__cairn_files[2];

//@ __cairn_fd
// The descriptor of a stream. What is no stream is looked at, to meet a bad pointer.
extern char __cairn_files[3][216];
int __cairn_fd(FILE *stream) {
    if (stream == (FILE *)__cairn_files[1])
        return 1;
    if (stream == (FILE *)__cairn_files[2])
        return 2;
    if (stream == (FILE *)__cairn_files[0])
        return 0;
    return *(volatile char *)stream;
}

//@ fileno
int __cairn_fd(FILE *stream);
int fileno(FILE *stream) {
    return __cairn_fd(stream);
}

//@ printf
int printf(const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_printf(1, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ vprintf
int vprintf(const char *format, va_list ap) {
    return __cairn_printf(1, format, __cairn_va_area(ap));
}

//@ fprintf
int __cairn_fd(FILE *stream);
int fprintf(FILE *stream, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_printf(__cairn_fd(stream), format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ vfprintf
int __cairn_fd(FILE *stream);
int vfprintf(FILE *stream, const char *format, va_list ap) {
    return __cairn_printf(__cairn_fd(stream), format, __cairn_va_area(ap));
}

//@ dprintf
int dprintf(int fd, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_printf(fd, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ sprintf
int sprintf(char *buf, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_snprintf(buf, 0x7fffffff, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ vsprintf
int vsprintf(char *buf, const char *format, va_list ap) {
    return __cairn_snprintf(buf, 0x7fffffff, format, __cairn_va_area(ap));
}

//@ snprintf
int snprintf(char *buf, size_t n, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int len = __cairn_snprintf(buf, n, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return len;
}

//@ vsnprintf
int vsnprintf(char *buf, size_t n, const char *format, va_list ap) {
    return __cairn_snprintf(buf, n, format, __cairn_va_area(ap));
}

//@ vasprintf
void *malloc(size_t n);
int vasprintf(char **result, const char *format, va_list ap) {
    void *area = __cairn_va_area(ap);
    int len = __cairn_snprintf(0, 0, format, area);
    if (len < 0)
        return len;
    char *buf = malloc((size_t)len + 1);
    if (!buf)
        return -1;
    *result = buf;
    return __cairn_snprintf(buf, (size_t)len + 1, format, area);
}

//@ asprintf
int __model_vasprintf(char **result, const char *format, va_list ap);
int asprintf(char **result, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __model_vasprintf(result, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ puts
size_t __model_strlen(const char *s);
int puts(const char *s) {
    size_t n = __model_strlen(s);
    __cairn_write(1, s, n);
    __cairn_write(1, "\n", 1);
    return (int)n + 1;
}

//@ fputs
size_t __model_strlen(const char *s);
int __cairn_fd(FILE *stream);
int fputs(const char *s, FILE *stream) {
    __cairn_write(__cairn_fd(stream), s, __model_strlen(s));
    return 1;
}

//@ fputs_unlocked
int __model_fputs(const char *s, FILE *stream);
int fputs_unlocked(const char *s, FILE *stream) {
    return __model_fputs(s, stream);
}

//@ putchar
int putchar(int c) {
    char byte = (char)c;
    __cairn_write(1, &byte, 1);
    return (unsigned char)c;
}

//@ putchar_unlocked
int __model_putchar(int c);
int putchar_unlocked(int c) {
    return __model_putchar(c);
}

//@ fputc
int __cairn_fd(FILE *stream);
int fputc(int c, FILE *stream) {
    char byte = (char)c;
    __cairn_write(__cairn_fd(stream), &byte, 1);
    return (unsigned char)c;
}

//@ putc
int __model_fputc(int c, FILE *stream);
int putc(int c, FILE *stream) {
    return __model_fputc(c, stream);
}

//@ _IO_putc
int __model_fputc(int c, FILE *stream);
int _IO_putc(int c, FILE *stream) {
    return __model_fputc(c, stream);
}

//@ putc_unlocked
int __model_fputc(int c, FILE *stream);
int putc_unlocked(int c, FILE *stream) {
    return __model_fputc(c, stream);
}

//@ fwrite
int __cairn_fd(FILE *stream);
size_t fwrite(const void *data, size_t size, size_t count, FILE *stream) {
    if (size == 0 || count == 0)
        return 0;
    __cairn_write(__cairn_fd(stream), data, size * count);
    return count;
}

//@ write
ptrdiff_t write(int fd, const void *data, size_t n) {
    if (fd != 1 && fd != 2)
        return -1;
    __cairn_write(fd, data, n);
    return (ptrdiff_t)n;
}

//@ fflush
int fflush(FILE *stream) {
    return 0;
}

//@ setbuf
void setbuf(FILE *stream, char *buf) {}

//@ setvbuf
int setvbuf(FILE *stream, char *buf, int mode, size_t size) {
    return 0;
}

//@ perror
int __model_fprintf(FILE *stream, const char *format, ...);
char *__model_strerror(int error);
int *__errno_location(void);
extern FILE *stderr;
void perror(const char *s) {
    const char *text = __model_strerror(*__errno_location());
    if (s && *s)
        __model_fprintf(stderr, "%s: %s\n", s, text);
    else
        __model_fprintf(stderr, "%s\n", text);
}

//@ __cairn_pushed __cairn_at_end
// The byte given back to standard input (-1: none), and whether its end was met.
int __cairn_pushed = -1;
int __cairn_at_end;

//@ getchar
extern int __cairn_pushed, __cairn_at_end;
int getchar(void) {
    int c = __cairn_pushed;
    __cairn_pushed = -1;
    if (c < 0)
        c = __cairn_read_byte(0);
    if (c < 0)
        __cairn_at_end = 1;
    return c;
}

//@ getchar_unlocked
int __model_getchar(void);
int getchar_unlocked(void) {
    return __model_getchar();
}

//@ fgetc
int __model_getchar(void);
int __cairn_fd(FILE *stream);
int fgetc(FILE *stream) {
    return __cairn_fd(stream) == 0 ? __model_getchar() : -1;
}

//@ getc
int __model_fgetc(FILE *stream);
int getc(FILE *stream) {
    return __model_fgetc(stream);
}

//@ _IO_getc
int __model_fgetc(FILE *stream);
int _IO_getc(FILE *stream) {
    return __model_fgetc(stream);
}

//@ getc_unlocked
int __model_fgetc(FILE *stream);
int getc_unlocked(FILE *stream) {
    return __model_fgetc(stream);
}

//@ ungetc
extern int __cairn_pushed, __cairn_at_end;
int ungetc(int c, FILE *stream) {
    if (c == -1)
        return -1;
    __cairn_pushed = (unsigned char)c;
    __cairn_at_end = 0;
    return (unsigned char)c;
}

//@ feof
int __cairn_fd(FILE *stream);
extern int __cairn_at_end;
int feof(FILE *stream) {
    return __cairn_fd(stream) == 0 && __cairn_at_end;
}

//@ ferror
int ferror(FILE *stream) {
    return 0;
}

//@ clearerr
extern int __cairn_at_end;
void clearerr(FILE *stream) {
    __cairn_at_end = 0;
}

//@ fgets
int __model_fgetc(FILE *stream);
char *fgets(char *buf, int n, FILE *stream) {
    if (n <= 0)
        return 0;
    if (n == 1) {
        buf[0] = 0;
        return buf;
    }
    int i = 0;
    while (i < n - 1) {
        int c = __model_fgetc(stream);
        if (c < 0)
            break;
        buf[i++] = (char)c;
        if (c == '\n')
            break;
    }
    if (i == 0)
        return 0;
    buf[i] = 0;
    return buf;
}

//@ gets
int __model_getchar(void);
char *gets(char *buf) {
    int i = 0, c;
    while ((c = __model_getchar()) >= 0 && c != '\n')
        buf[i++] = (char)c;
    if (c < 0 && i == 0)
        return 0;
    buf[i] = 0;
    return buf;
}

//@ fread
int __model_fgetc(FILE *stream);
size_t fread(void *data, size_t size, size_t count, FILE *stream) {
    unsigned char *p = data;
    if (size == 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < size; j++) {
            int c = __model_fgetc(stream);
            if (c < 0)
                return i;
            *p++ = (unsigned char)c;
        }
    return count;
}

//@ sscanf
int sscanf(const char *text, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_sscanf(text, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ __isoc99_sscanf
int __isoc99_sscanf(const char *text, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_sscanf(text, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ vsscanf
int vsscanf(const char *text, const char *format, va_list ap) {
    return __cairn_sscanf(text, format, __cairn_va_area(ap));
}

//@ __isoc99_vsscanf
int __isoc99_vsscanf(const char *text, const char *format, va_list ap) {
    return __cairn_sscanf(text, format, __cairn_va_area(ap));
}
