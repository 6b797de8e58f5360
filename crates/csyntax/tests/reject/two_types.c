// 2:6: two or more data types in declaration specifiers
char float x;
