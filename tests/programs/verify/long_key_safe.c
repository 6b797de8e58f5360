// As long_key_unsafe, but the key does not exist.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0, least = 0;
    while (i < n) {
        least++;
        i++;
    }
    if (least >= 0)
        return 0;
    reach_error();
}
