// Declarators of every shape.
int *a[3], (*b)[3], (*c)(void), *(*d[2])(int, char *);
int (*(*e)(int))(double);
int (((paren)));
int (*const volatile f)(void) = 0;
char *(*(*g[1][2])(void))[5];
int *const *volatile *restrict h;
void sig(int, void (*handler)(int));
void (*signal2(int s, void (*fn)(int)))(int) { return fn; }
int fn(int n, int m[n][n], int k[static 4], int r[const restrict], int s[*]);
int fn2(int n, int a[const static n]) { return a[n - 1]; }
int arr[] = { 1, 2 }, two[2][3];
int old(), none(void), many(int, ...);
int register_param(register int x);
extern int unsized[];
int (*returns_array_pointer(void))[7];
static inline __attribute__((always_inline)) int inl(void) { return 0; }
_Noreturn void die(void);
int nested(int (*)(int (*)(int)), int [], int [3][4], int (int));
