// Code that runs before main.
static int state = 1;

__attribute__((constructor)) static void init(void) { state = 2; }

int main(void) { return state; }
