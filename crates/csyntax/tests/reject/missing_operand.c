// 2:22: expected an expression before ')'
int f(void) { if (1 +) return 1; }
