// 2:14: unknown type name 'bool'
int f(int a, bool b);
