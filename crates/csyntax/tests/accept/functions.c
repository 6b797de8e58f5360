// Function definitions, old and new, nested ones, and what may stand between them.
int knr(a, b, c) int a; char *b, c[]; { return a + *b + c[0]; }
knr2(a, b) { return a + b; }
knr3(a) register a; { return a; }
double knr4(x, f) double x; double (*f)(double); { return f(x); }
int main() { return 0; } ; ;
void v(void) { int nested(int x) { return x + 1; } auto int later(int); int later(int y) { return nested(y); } later(1); }
static int (*table(int i))(int) { return 0; }
int vla(int n) { int a[n], b[n][n + 1]; return sizeof a + sizeof(int[n]) + b[0][0]; }
int va(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int r = __builtin_va_arg(ap, int) + *__builtin_va_arg(ap, int *); __builtin_va_end(ap); return r; }
struct big { int a[100]; } returns_struct(struct big b) { return b; }
int (in_parens)(int x) { return x; }
inline int i1(void) { return 1; } extern inline int i1(void); static inline int i2(void) { return 2; }
void params(int, char), unnamed(int [3], int (*)[4], int (*)(int), struct big);
int digraphs(int a<:2:>) <% return a<:0:>; %>
