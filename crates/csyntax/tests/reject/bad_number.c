// 2:9: invalid suffix "xyz" on integer constant
int x = 1xyz;
