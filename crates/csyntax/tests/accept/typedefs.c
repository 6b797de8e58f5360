// Typedef names, shadowed by everything that can shadow them.
typedef int T, *PT, A[3], F(int);
typedef unsigned T2;
T a; PT b; A c; F f;
int f(int T) { return T * 2; }
int g(void) { int T = 3; return (T) - 1; }
int h(int x) { T: x = 1; goto T; }
int label_then_use(void) { T y = 1; T: return y; }
struct s { T T; T2 T2 : 3; int PT; };
int members(struct s *p) { return p->T + (*p).T2; }
enum { E1, E2 };
int enumerator(void) { enum { T = 4 }; return T * E1; }
int block(void) { { int T; T = 1; } { T z = 2; return z; } }
int in_for(void) { for (int T = 0; T < 3; T++) ; T x = 0; return x; }
int abstract_param(int (T), T2);
int proto(T T, int b[sizeof T]);
void redeclared(void) { typedef char T; T c = 'a'; (void)c; }
unsigned T2_not_a_type;
int knr(x, y) char x; int y; { return x + y; }
const T ct = 1; T const tc = 2; static T st;
int cast_or_call(int (*fn)(int)) { return (fn)(1) + (T)(2) + (T)+3 + (T)-4 + (T)~5 + (T)!6; }
int size(void) { int T; return sizeof(T) + sizeof T; }
T typeof_ok(void) { __typeof__(T) q = 1; __typeof__(q) r = q; return r; }
struct T { int T; } T_struct;
int tags(struct T *t) { return t->T; }
