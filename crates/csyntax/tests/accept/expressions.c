// Expressions of every kind.
struct s { int a; struct s *n; int v[4]; };
int f(int, ...); int g(void);
int all(int a, int b, struct s *p, int *q, struct s v) {
  int r;
  r = a + b * 2 - a / b % 3 << 1 >> 2 & 7 | 8 ^ 9;
  r = a < b == b >= a != (a > b) && a || !b;
  r = a ? b : a ? 1 : 2; r = a ?: b; r = a ? : b;
  r += 1; r -= 1; r *= 2; r /= 3; r %= 4; r <<= 1; r >>= 1; r &= 1; r |= 2; r ^= 3;
  r = -a + +b - ~a; r = !a; r = *q; q = &a; ++r; --r; r++; r--; r = - -a; r = a - -b; r = a+++b; r = a---b;
  r = p->n->n->a + v.v[1] + p->v[a + 1] + (*p).a + (&v)->a + 2[q];
  r = (a, b, 3); f(1, (a, b), 2)  ; g();
  r = sizeof a + sizeof(a) + sizeof(int) + sizeof(int[3]) + sizeof (int *) + sizeof -a + sizeof (a)[0 ? &a : q];
  r = sizeof (struct s){ 1 }.a + sizeof (int){ 1 } + sizeof(int (*)(void)) * 2;
  r = _Alignof(int) + __alignof__(double) + __alignof__ a + __alignof(a) + _Alignof(struct s);
  q = (int[]){ 1, 2, 3 }; p = &(struct s){ .a = 1 }; r = (struct s){ 3 }.a; q = (int *)(void *)p; r = (int)(char)a + (int)*q;
  r = ({ int t = a; t + 1; }); r = ({ a; }) + ({ ; b; });
  r = (1 ? ({ g(); }) : 2);
  r = _Generic(a, int: 1, char *: 2, default: 3); r = _Generic((0, a), default: 3);
  r = __builtin_offsetof(struct s, v[2]) + __builtin_offsetof(struct s, a);
  r = __builtin_types_compatible_p(int, const int *) + __builtin_choose_expr(1, a, "x") + __builtin_constant_p(3);
  r = __extension__ (a) + __extension__ ({ 1; }) + __extension__ (int){ 2 };
  r = "abc"[1] + sizeof "ab" "cd" L"ef" + 'a' + L'b' + u'c' + U'd' + '\x41' + '\0' + 'ab';
  const char *name = __func__; name = __FUNCTION__; name = __PRETTY_FUNCTION__; name = "a" "b" u8"c";
  static void *labels[] = { &&one, &&two }; goto *labels[a & 1];
one: two:
  return r, r;
}
