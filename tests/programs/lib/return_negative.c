// main returns a negative value.
int main(void) { return -1; }
