// 2:8: expected ']' before ';'
int a[3;
