// No inputs, and a loop that is long for engines but not for a run.
void reach_error(void);

int main(void) {
    unsigned s = 1;
    for (unsigned i = 0; i < 3000000; i++)
        s = s * 1664525u + 1013904223u;
    if (s == 3644761281u)
        reach_error();
    return 0;
}
