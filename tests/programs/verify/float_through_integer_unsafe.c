// A float moved in an integer register comes back as it was.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
    float f = __VERIFIER_nondet_float(), g = 0;
    *(unsigned *)&g = *(unsigned *)&f;
    float sum = f + 1.0f;
    float again = g + 1.0f;
    if (g > 1e38f && sum == again)
        reach_error();
    return 0;
}
