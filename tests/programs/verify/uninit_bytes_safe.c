// Whatever memory holds that nobody has written, a copy of it is the same.
extern void reach_error(void);

int main(void) {
    unsigned char buffer[8], copy[8];
    buffer[0] = 1;
    for (int i = 0; i < 8; i++) copy[i] = buffer[i];
    if (copy[0] != 1 || copy[3] != buffer[3]) reach_error();
    return 0;
}
