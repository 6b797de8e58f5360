// A vending machine never gives away more than was paid: one price is wrong.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define STEPS 6

int main(void) {
    unsigned credit = 0, paid = 0, given = 0;
    for (int step = 0; step < STEPS; step++) {
        unsigned char event = __VERIFIER_nondet_uchar();
        if (event == 0) { credit += 5; paid += 5; }
        else if (event == 1) { credit += 10; paid += 10; }
        else if (event == 2) { credit += 25; paid += 25; }
        else if (event == 3 && credit >= 35) { credit -= 35; given += 35; }
        else if (event == 4 && credit >= 55) { credit -= 55; given += 60; }
        else if (event == 5) { given += credit; credit = 0; }
        if (paid != credit + given) reach_error();
    }
    return 0;
}
