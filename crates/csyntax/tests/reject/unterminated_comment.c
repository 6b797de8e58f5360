// 2:8: unterminated comment
int x; /* never ends
