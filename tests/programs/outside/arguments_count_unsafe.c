// Who looks at the number alone gets any.
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc == 1000)
        reach_error();
    return 0;
}
