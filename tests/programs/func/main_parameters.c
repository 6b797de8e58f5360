// Nobody knows what the parameters of such a main are when it starts.
int main(int first, double second) {
    return second > first;
}
