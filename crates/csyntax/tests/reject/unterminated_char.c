// 2:10: missing terminating ' character
char c = 'a;
