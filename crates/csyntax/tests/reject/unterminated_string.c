// 2:11: missing terminating " character
char *s = "abc;
int x;
