// 2:20: unsupported: '__builtin_convertvector'
int f(int a) { a = __builtin_convertvector(a, int); }
