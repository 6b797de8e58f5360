// 2:25: expected an expression before 'int'
int f(void) { if (1) l: int x; }
