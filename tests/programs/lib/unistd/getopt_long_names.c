// Long options, whole and cut.
#include <stdio.h>
#include <unistd.h>
#include <getopt.h>

int main(int argc, char **argv) {
    static int flag;
    static const struct option all[] = {{"alpha", 0, 0, 'a'}, {"beta", 1, 0, 'b'}, {"bell", 2, 0, 5}, {"flag", 0, &flag, 9}, {0, 0, 0, 0}};
    int c, at = -1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "ab:", all, &at)) != -1)
        printf("%d %s %d %d\n", c, optarg ? optarg : "-", at, optind);
    printf("%d\n", flag);
    for (int i = optind; i < argc; i++)
        puts(argv[i]);
    return 0;
}
