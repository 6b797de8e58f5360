// Adding a tenth ten times is not one, but close to it.
extern void reach_error(void);

int main(void) {
    double s = 0;
    for (int i = 0; i < 10; i++) s += 0.1;
    if (s == 1.0 || s < 0.999999 || s > 1.000001) reach_error();
    return 0;
}
