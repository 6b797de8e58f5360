// 2:36: expected ':' or '...' before 'break'
int f(int a) { switch (a) { case 1 break; } }
