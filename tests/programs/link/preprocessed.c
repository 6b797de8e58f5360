// An already preprocessed unit with line markers next to an ordinary one.
int from_i(int);
int main(void) { return from_i(20); }
