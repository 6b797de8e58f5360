// 2:13: expected an expression before ','
int x[] = { , };
