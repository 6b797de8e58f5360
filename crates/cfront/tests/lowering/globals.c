// Static data: variables where no address is taken, objects elsewhere.
int plain = 3, taken = 4;
int *const pointer = &taken;
const char *text = "hi";
double half = 0.5;
unsigned char small = 300;
extern int missing;
int (*function)(void);
struct { int a; char *b; } pair = {7, "x" + 1};
int read(void) { return plain + *pointer + missing + small + pair.a + (function == read); }
