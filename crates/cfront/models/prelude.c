// What every unit of models starts with: the types of the data model in force,
// and the vocabulary that lowering gives a meaning to.

typedef typeof(sizeof 0) size_t;
typedef typeof((char *)0 - (char *)0) ptrdiff_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;

void *__cairn_alloc(size_t size);
void *__cairn_alloc_zeroed(size_t size);
void __cairn_free(void *p);
void __cairn_copy(void *dst, const void *src, size_t n);
void __cairn_move(void *dst, const void *src, size_t n);
void __cairn_fill(void *dst, int byte, size_t n);
void *__cairn_va_area(va_list ap);
void __cairn_assume(int condition);
void __cairn_exit(int code);
void __cairn_abort(void);
void __cairn_assert_fail(const char *text, const char *file, unsigned line, const char *function);
int __cairn_printf(int fd, const char *format, void *area);
int __cairn_snprintf(char *buf, size_t n, const char *format, void *area);
int __cairn_sscanf(const char *text, const char *format, void *area);
void __cairn_write(int fd, const void *data, size_t n);
int __cairn_read_byte(int fd);
size_t __cairn_object_size(const void *p);
double __cairn_strtod(const char *text, char **end);
