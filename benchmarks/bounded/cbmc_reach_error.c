// What the tasks call, in terms of CBMC.
void reach_error(void) { __CPROVER_assert(0, "reach_error is not called"); }

void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }
