// 2:8: multiple storage classes in declaration specifiers
static extern int x;
