// A negative difference counts as close.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct state { int altitude, other, rate, alarm; };

static int separation(const struct state *s) {
    int d = s->altitude - s->other;
    return d < 0 ? d : d;
}

static void step(struct state *s) {
    int sep = separation(s);
    if (sep < 400 && s->rate > 0) s->alarm = 1;
    else if (sep >= 400) s->alarm = 0;
}

int main(void) {
    struct state s = {0, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        s.altitude = __VERIFIER_nondet_int();
        s.other = __VERIFIER_nondet_int();
        s.rate = __VERIFIER_nondet_int();
        if (s.altitude < 0 || s.altitude > 50000 || s.other < 0 || s.other > 50000) return 0;
        step(&s);
        int d = s.altitude > s.other ? s.altitude - s.other : s.other - s.altitude;
        if (s.alarm && d >= 400) reach_error();
    }
    return 0;
}
