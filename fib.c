extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
int id(int x) { if (x == 0) return 0; int r = id(x - 1) + 1; if (r > 3) return 3; return r; }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); int r = id(n); if (r > 3) reach_error(); return 0; }
