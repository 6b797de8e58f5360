// Initialisers of automatic objects.
struct p { char c; int i; };
int get(void);
void locals(int n) {
    int full[2] = {1, n};
    int part[100] = {0, n};
    int many[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    char text[8] = "abc";
    struct p padded = {'x', get()};
    int scalar = {n};
    int *literal = (int[]){n, 2};
    static int counter = 5;
    counter += full[0] + part[1] + many[2] + text[0] + padded.i + scalar + *literal;
}
