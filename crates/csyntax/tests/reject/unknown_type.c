// 3:3: unknown type name 'size_type'
int f(int a) {
  size_type n = a;
}
