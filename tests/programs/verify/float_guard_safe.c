// A clamped float stays in its range, NaN included.
extern void reach_error(void);

extern double __VERIFIER_nondet_double(void);

static double clamp(double x) {
    if (!(x <= 1.0)) x = 1.0;
    if (x < 0.0) x = 0.0;
    return x;
}

int main(void) {
    double y = clamp(__VERIFIER_nondet_double());
    if (!(y >= 0.0 && y <= 1.0)) reach_error();
    return 0;
}
