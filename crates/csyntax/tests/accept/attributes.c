// Attributes wherever gcc takes them.
__attribute__((unused)) static int a; static __attribute__((unused)) int b; static int __attribute__((unused)) c; static int d __attribute__((unused)) = 1;
int __attribute__((noinline)) f1(void); void f2(void) __attribute__((noreturn, nothrow)); __attribute__((__const__)) int f3(int x);
int f4(const char *fmt, ...) __attribute__((format(printf, 1, 2), nonnull(1))); void *f5(unsigned long) __attribute__((malloc, alloc_size(1)));
int f6(int x __attribute__((unused)), __attribute__((unused)) int y, int __attribute__((unused)) z);
int (__attribute__((cdecl)) *fp)(void); int *__attribute__((aligned(8))) ap; int g __attribute__((aligned)), h __attribute__((aligned(16))) = 2;
int f7(void) __asm__("real_name") __attribute__((weak)); extern int v asm("other"); int f8(void) asm("x" "y");
typedef int v4 __attribute__((vector_size(16))); typedef int ti __attribute__((mode(DI))); typedef __attribute__((aligned(4))) char tc;
int i __attribute__(()), j __attribute__((,unused,)), k, __attribute__((unused)) l, * __attribute__((unused)) m;
static int f9(void) __attribute__((alias("f10"))); int f10(void) { return 0; }
void cleanup(int *); void f11(void) { int x __attribute__((cleanup(cleanup))) = 0; register int r asm("ebx"); for (int i __attribute__((unused)) = 0;;) break; }
[[nodiscard]] int f12(void); [[gnu::noinline, deprecated("old")]] int f13(void); int f14 [[gnu::unused]] (void); struct [[gnu::packed]] s1 { char c [[gnu::aligned(4)]]; };
union __attribute__((transparent_union)) tu { int *a; float *b; }; struct s2 { int a; } __attribute__((__aligned__(sizeof(long)), __packed__));
__attribute__((section("x"), used)) int sec; int f16() __attribute__((deprecated("msg")));
int f17(void) { switch (a) { case 1: b = 1; __attribute__((__fallthrough__)); default: ; } return sizeof(int __attribute__((aligned(8)))) + (int __attribute__((unused)))1; }
__extension__ extern __inline __attribute__((__gnu_inline__)) int f18(void) { return 1; }
