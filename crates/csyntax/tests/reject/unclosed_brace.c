// 4:4: expected a declaration or statement at end of input
int f(void) {
  if (1) {
  }
