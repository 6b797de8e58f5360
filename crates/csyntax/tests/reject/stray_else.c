// 2:17: 'else' without a previous 'if'
int f(void) { ; else ; }
