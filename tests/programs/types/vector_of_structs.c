// Arrays of structs with arrays of unions, indexed and walked in every way.
#include <stdio.h>

typedef struct {
    char tag;
    union { int i[2]; short s[4]; } u[2];
} cell;

static cell grid[3][2];

int main(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            cell *c = &grid[i][j];
            c->tag = 'a' + i * 2 + j;
            for (int k = 0; k < 4; k++) c->u[k / 2].s[k] = i * 100 + j * 10 + k;
        }
    unsigned h = 0;
    for (cell *c = grid[0]; c < grid[3]; c++) {
        h = h * 31 + c->tag;
        for (int k = 0; k < 2; k++) h = h * 31 + c->u[k].i[k];
    }
    printf("%u %zu\n", h, sizeof grid);
    cell tmp = grid[0][0];
    grid[0][0] = grid[2][1];
    grid[2][1] = tmp;
    printf("%c %c %d\n", grid[0][0].tag, (*(*(grid + 2) + 1)).tag, grid[0][0].u[1].s[3]);
    return 0;
}
