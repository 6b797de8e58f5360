// The index of an access is uninitialised.
int main(void) {
    int t[4] = {1, 2, 3, 4}, i[2];
    i[0] = 1;
    int j = i[1] & 3;
    t[j] = 5;
    return 0;
}
