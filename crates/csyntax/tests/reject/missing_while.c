// 2:21: expected 'while' before '}'
int f(void) { do {} }
