// 2:27: expected an identifier before '1'
int f(void) { void *p = &&1; }
