// The error lies behind a million rounds.
extern void reach_error(void);

int main(void) {
    unsigned i = 0, h = 1;
    for (; i < 1000000; i++) h = h * 1103515245u + 12345u;
    if (i == 1000000) reach_error();
    return 0;
}
