// An elevator moves only with its door closed and within its floors: the door may stay open.
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define STEPS 25
#define FLOORS 5

int main(void) {
    int floor = 0, open = 0, up = 1;
    _Bool wanted[FLOORS] = {0};
    for (int step = 0; step < STEPS; step++) {
        unsigned call = __VERIFIER_nondet_uint();
        if (call < FLOORS) wanted[call] = 1;
        int before = floor;
        if (wanted[floor]) {
            open = 1;
            wanted[floor] = 0;
        } else if (open && !__VERIFIER_nondet_bool()) {
            open = 0;
        } else {
            int above = 0, below = 0;
            for (int f = 0; f < FLOORS; f++) {
                if (f > floor && wanted[f]) above = 1;
                if (f < floor && wanted[f]) below = 1;
            }
            if (up && !above) up = 0;
            else if (!up && !below) up = 1;
            if (up && above) floor++;
            if (!up && below) floor--;
        }
        if (open && floor != before) reach_error();
        if (floor < 0 || floor >= FLOORS) reach_error();
    }
    return 0;
}
