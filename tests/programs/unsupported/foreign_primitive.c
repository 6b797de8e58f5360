// A primitive of another verifier that is not modelled is refused.
extern _Bool __ESBMC_forall(int *, _Bool);

int main(void) {
    int i;
    return __ESBMC_forall(&i, i > 0);
}
