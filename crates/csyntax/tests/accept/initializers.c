// Initialisers and designators.
struct p { int x, y; struct { int z[3]; } in; };
struct p a = { 1, 2, { { 3 } } }, b = { .y = 1, .x = 2 }, c = { .in.z[1] = 4, .in = { .z = { [2] = 5 } } }, d = {}, e = { 0, };
struct p f = { x: 1, y: 2 };
int g[] = { [3] = 1, 2, [0 ... 2] = 7, [5] 9 }, h[2][2] = { { 1 }, [1][0] = 3 }, i[] = { 1, 2, 3, };
char j[] = "abc", k[4] = { "xyz" }, *l[] = { "a", "b" };
struct p m[] = { [0].x = 1, [1] = { 2 } }; union { int a; float b; } u = { .b = 1.0 };
int n = { 1 }, o = (2); int *q = (int[]){ 1, 2 }; struct p r = (struct p){ 1 };
enum { N = 2 }; int t[N] = { [N - 1] = 1 };
