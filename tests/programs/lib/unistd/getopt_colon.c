// A colon first: missing arguments are told apart.
#include <stdio.h>
#include <unistd.h>
#include <getopt.h>

int main(int argc, char **argv) {
    int c;
    opterr = 0;
    while ((c = getopt(argc, argv, ":a:b")) != -1)
        printf("%d %s %d %d\n", c, optarg ? optarg : "-", optopt == c, optind);
    for (int i = optind; i < argc; i++)
        puts(argv[i]);
    return 0;
}
