// A call through a null function pointer.
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*table[3])(void) = {one, two};

int main(void) { return table[2](); }
