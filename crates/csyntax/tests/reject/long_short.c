// 2:1: both 'long' and 'short' in declaration specifiers
long short x;
