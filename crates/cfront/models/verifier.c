// What verification tasks call besides the functions that lowering knows.

//@ __VERIFIER_nondet_memory
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_nondet_memory(void *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = __VERIFIER_nondet_uchar();
}

//@ __VERIFIER_atomic_begin
// There is only one thread.
void __VERIFIER_atomic_begin(void) {}

//@ __VERIFIER_atomic_end
void __VERIFIER_atomic_end(void) {}
