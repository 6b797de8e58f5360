// The 23 states of a machine that accepts one word only.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void)
{
    int state = 0;
    while (1) {
        char c = __VERIFIER_nondet_char();
        if (c == 'a' && state == 0) state = 1;
        else if (c == 'b' && state == 1) state = 2;
        else if (c == 'r' && state == 2) state = 3;
        else if (c == 'a' && state == 3) state = 4;
        else if (c == 'c' && state == 4) state = 5;
        else if (c == 'a' && state == 5) state = 6;
        else if (c == 'd' && state == 6) state = 7;
        else if (c == 'a' && state == 7) state = 8;
        else if (c == 'b' && state == 8) state = 9;
        else if (c == 'r' && state == 9) state = 10;
        else if (c == 'a' && state == 10) state = 11;
        else if (c == 'a' && state == 11) state = 12;
        else if (c == 'b' && state == 12) state = 13;
        else if (c == 'r' && state == 13) state = 14;
        else if (c == 'a' && state == 14) state = 15;
        else if (c == 'c' && state == 15) state = 16;
        else if (c == 'a' && state == 16) state = 17;
        else if (c == 'd' && state == 17) state = 18;
        else if (c == 'a' && state == 18) state = 19;
        else if (c == 'b' && state == 19) state = 20;
        else if (c == 'r' && state == 20) state = 21;
        else if (c == 'a' && state == 21) state = 22;
        if (state == 22)
            reach_error();
    }
}
