// 2:9: stray '@' in program
int x = @;
