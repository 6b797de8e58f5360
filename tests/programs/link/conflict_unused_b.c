struct pair { char c; int n; } __attribute__((packed));
extern struct pair shared;

int other(void) {
    return (int)sizeof(struct pair);
}
