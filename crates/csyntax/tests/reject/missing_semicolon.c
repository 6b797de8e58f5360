// 2:8: expected ';' before 'int'
  int x
int y;
