// Statements of every kind.
int f(int a) {
  ;
  if (a) ; else ;
  if (a) if (a > 1) a = 1; else a = 2;
  while (a--) { if (a == 3) continue; if (a == 2) break; }
  do a++; while (a < 10);
  do { a--; } while (a); ;
  for (;;) break;
  for (int i = 0, j = 1; i < j; i++, j--) ;
  for (a = 0; a < 3; ) a++;
  for (struct { int x; } s = { 0 }; s.x < 2; s.x++) ;
  switch (a) { case 1: case 2: a = 3; break; case 'a' ... 'z': a = 4; case 1000 ... 2000: default: ; }
  switch (a) case 1: a = 2;
  switch (a) { int hidden; case 1: hidden = 1; while (hidden) { case 2: hidden = 0; } }
  { __label__ l1, l2; __label__ l3; l1: l2: l3: goto l1; }
  goto end;
  { int a = 1; { int b = a; } }
lab: __attribute__((unused)) a = 1;
lab2: __attribute__((unused));
  goto lab; goto lab2;
decl_after_label: int after = 1;
  switch (after) { case 1: int x = 2; case 2:; __attribute__((fallthrough)); case 3: break; case 4: }
  __attribute__((unused)) int un = 1; [[maybe_unused]] int un2 = 2;
  _Static_assert(1, "yes"); _Static_assert(sizeof(int) == 4);
  extern int ext; int local_fn(int); typedef int L; L ll = 3;
  __extension__ int e1 = 1; __extension__ ({ e1; });
  asm("nop"); __asm__ volatile("nop" ::: "memory"); asm volatile("" : "=r"(a) : "0"(a), [in] "r"(after) : "cc");
  asm goto("" : : : : end); asm inline("nop"); asm volatile inline("nop");
  return a;
end:
}
void g(void) { return; }
asm("file scope");
