// A connection is open only after all three messages: a flag survives.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define STEPS 20
enum { CLOSED, LISTEN, SYN_SENT, SYN_RECEIVED, OPEN, CLOSING };

int main(void) {
    int state = CLOSED, syn = 0, ack = 0;
    for (int step = 0; step < STEPS; step++) {
        int event = __VERIFIER_nondet_uchar() % 6;
        switch (state) {
        case CLOSED:
            syn = 0;
            if (event == 0) state = LISTEN;
            else if (event == 1) state = SYN_SENT;
            break;
        case LISTEN:
            if (event == 2) { syn = 1; state = SYN_RECEIVED; }
            else if (event == 5) state = CLOSED;
            break;
        case SYN_SENT:
            if (event == 2) { syn = 1; state = SYN_RECEIVED; }
            else if (event == 3) { syn = 1; ack = 1; state = OPEN; }
            else if (event == 5) state = CLOSED;
            break;
        case SYN_RECEIVED:
            if (event == 4) { ack = 1; state = OPEN; }
            else if (event == 5) state = CLOSING;
            break;
        case OPEN:
            if (event == 5) state = CLOSING;
            break;
        default:
            state = CLOSED;
        }
        if (state == OPEN && !(syn && ack)) reach_error();
        if ((state == LISTEN || state == SYN_SENT) && (syn || ack)) reach_error();
    }
    return 0;
}
