#ifndef TWO_UNITS_H
#define TWO_UNITS_H
#define TABLE 3
struct record { int id; char name[4]; };
void bump(void);
const char *other_who(void);
int total(struct record *, int);
int callback(int (*)(int), int);
int printer(int);
#endif
