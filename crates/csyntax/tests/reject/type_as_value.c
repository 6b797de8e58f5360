// 3:17: expected an expression before 'T'
typedef int T;
int g(void) { x(T); }
