// Two traffic lights are never green together: a request comes through too early.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define STEPS 40
enum { RED, GREEN, YELLOW };

int main(void) {
    int north = RED, east = GREEN, timer = 0;
    for (int step = 0; step < STEPS; step++) {
        int request = __VERIFIER_nondet_bool();
        timer++;
        if (east == GREEN && (request || timer > 5)) { east = YELLOW; timer = 0; }
        else if (east == YELLOW && timer > 1) { east = RED; north = GREEN; timer = 0; }
        else if (north == GREEN && timer > 3) { if (request) east = GREEN; north = YELLOW; timer = 0; }
        else if (north == YELLOW && timer > 1) { north = RED; east = GREEN; timer = 0; }
        if (north != RED && east != RED) reach_error();
        if (timer > 6) reach_error();
    }
    return 0;
}
