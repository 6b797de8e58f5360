// What memory holds that nobody has written is part of an execution: here it leads to the error.
extern void reach_error(void);

int main(void) {
    unsigned char buffer[8];
    buffer[0] = 1;
    if (buffer[3] == 'A' && buffer[4] == 0x7f) reach_error();
    return 0;
}
