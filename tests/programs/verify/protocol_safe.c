// A parser of framed messages never sees data outside a frame.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    enum { IDLE, HEADER, DATA, CRC } state = IDLE;
    int length = 0, received = 0;
    for (int i = 0; i < 12; i++) {
        int byte = __VERIFIER_nondet_int();
        if (byte < 0 || byte > 255) return 0;
        switch (state) {
        case IDLE:
            if (byte == 0x7e) state = HEADER;
            break;
        case HEADER:
            length = byte & 7;
            received = 0;
            state = length > 0 ? DATA : CRC;
            break;
        case DATA:
            received++;
            if (received == length) state = CRC;
            break;
        case CRC:
            if (received != length) reach_error();
            state = IDLE;
            break;
        }
        if (received > length) reach_error();
    }
    return 0;
}
