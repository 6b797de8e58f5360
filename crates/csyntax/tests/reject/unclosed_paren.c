// 2:22: expected ')' before ';'
int f(int a) { a = (a; }
