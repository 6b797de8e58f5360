// 2:20: unsupported: '__builtin_tgmath'
int f(int a) { a = __builtin_tgmath(a, a); }
