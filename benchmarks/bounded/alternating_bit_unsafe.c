// The alternating bit protocol delivers in order over lossy channels: old acknowledgements are believed.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define STEPS 24
#define NONE 2

int main(void) {
    int send_bit = 0, receive_bit = 0, sent = 0, received = 0;
    int data_bit = NONE, data_value = 0, ack = NONE;
    for (int step = 0; step < STEPS; step++) {
        unsigned char move = __VERIFIER_nondet_uchar();
        switch (move) {
        case 0:
            data_bit = send_bit;
            data_value = sent;
            break;
        case 1:
            data_bit = NONE;
            break;
        case 2:
            if (data_bit == receive_bit) {
                if (data_value != received) reach_error();
                received++;
                receive_bit = !receive_bit;
            }
            if (data_bit != NONE) ack = data_bit;
            data_bit = NONE;
            break;
        case 3:
            ack = NONE;
            break;
        case 4:
            if (ack != NONE) {
                send_bit = !send_bit;
                sent++;
            }
            ack = NONE;
            break;
        default: break;
        }
        if (received < sent || received > sent + 1) reach_error();
    }
    return 0;
}
