// Descriptors, options of the command line, signals. Bytes read from a descriptor are
// inputs; each operation may fail, as an input decides, with any error (EBADF where the
// descriptor is not open), but reading from standard input and writing to standard
// output do not. Signals come from nowhere but `raise`.

//@ open
int __cairn_take_fd(int fd);
int __cairn_input_open(void);
int open(const char *path, int flags, ...) {
    *(volatile const char *)path;
    return __cairn_take_fd(__cairn_input_open());
}
//@= open open64 __open_2 __open64_2

//@ openat
int __cairn_take_fd(int fd);
int __cairn_input_openat(void);
int openat(int folder, const char *path, int flags, ...) {
    *(volatile const char *)path;
    return __cairn_take_fd(__cairn_input_openat());
}
//@= openat openat64

//@ creat
int __cairn_take_fd(int fd);
int __cairn_input_creat(void);
int creat(const char *path, unsigned mode) {
    *(volatile const char *)path;
    return __cairn_take_fd(__cairn_input_creat());
}
//@= creat creat64

//@ close
int __cairn_fd_open(int fd);
void __cairn_give_fd(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_close(void);
int close(int fd) {
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    __cairn_give_fd(fd);
    return __cairn_input_close() < 0 ? __cairn_fail() : 0;
}

//@ read
// Fewer bytes than asked for may come; none at the end.
extern unsigned long long __cairn_open_fds[16];
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_read(void);
ptrdiff_t read(int fd, void *buf, size_t n) {
    if (fd != 0 && !__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    if (fd != 0 && __cairn_input_read() < 0)
        return __cairn_fail();
    size_t i = 0;
    for (; i < n; i++) {
        int c = __cairn_read_byte(fd);
        if (c < 0)
            break;
        ((unsigned char *)buf)[i] = (unsigned char)c;
    }
    return (ptrdiff_t)i;
}

//@ pread
ptrdiff_t __model_read(int fd, void *buf, size_t n);
ptrdiff_t pread(int fd, void *buf, size_t n, long offset) {
    return __model_read(fd, buf, n);
}

//@ pread64
ptrdiff_t __model_read(int fd, void *buf, size_t n);
ptrdiff_t pread64(int fd, void *buf, size_t n, long long offset) {
    return __model_read(fd, buf, n);
}

//@ __read_chk
void __chk_fail(void);
ptrdiff_t __model_read(int fd, void *buf, size_t n);
ptrdiff_t __read_chk(int fd, void *buf, size_t n, size_t room) {
    if (n > room)
        __chk_fail();
    return __model_read(fd, buf, n);
}

//@ write
// Fewer bytes may be written than were given, but to standard output and standard error.
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
ptrdiff_t __cairn_input_write(void);
ptrdiff_t write(int fd, const void *data, size_t n) {
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    __cairn_write(fd, data, n);
    if (fd == 1 || fd == 2)
        return (ptrdiff_t)n;
    ptrdiff_t done = __cairn_input_write();
    if (done < 0)
        return __cairn_fail();
    return (size_t)done < n ? done : (ptrdiff_t)n;
}

//@ pwrite
ptrdiff_t __model_write(int fd, const void *data, size_t n);
ptrdiff_t pwrite(int fd, const void *data, size_t n, long offset) {
    return __model_write(fd, data, n);
}

//@ pwrite64
ptrdiff_t __model_write(int fd, const void *data, size_t n);
ptrdiff_t pwrite64(int fd, const void *data, size_t n, long long offset) {
    return __model_write(fd, data, n);
}

//@ lseek
// Where a descriptor stands is not remembered.
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
long __cairn_input_lseek(void);
long lseek(int fd, long offset, int whence) {
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    long at = __cairn_input_lseek();
    if (at < 0)
        return __cairn_fail();
    return whence == 0 ? (offset < 0 ? __cairn_refuse(22) : offset) : at;
}

//@ lseek64
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
long long __cairn_input_lseek(void);
long long lseek64(int fd, long long offset, int whence) {
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    long long at = __cairn_input_lseek();
    if (at < 0)
        return __cairn_fail();
    return whence == 0 ? (offset < 0 ? __cairn_refuse(22) : offset) : at;
}

//@ dup
int __cairn_fd_open(int fd);
int __cairn_take_fd(int fd);
int __cairn_refuse(int error);
int __cairn_input_dup(void);
int dup(int fd) {
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    return __cairn_take_fd(__cairn_input_dup());
}

//@ dup2
extern unsigned long long __cairn_open_fds[16];
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_dup2(void);
int dup2(int from, int to) {
    if (!__cairn_fd_open(from) || to < 0 || to >= 1024)
        return __cairn_refuse(9); // EBADF
    if (__cairn_input_dup2() < 0)
        return __cairn_fail();
    __cairn_open_fds[to / 64] |= 1ULL << (to % 64);
    return to;
}

//@ pipe
int __cairn_take_fd(int fd);
void __cairn_give_fd(int fd);
int __cairn_input_pipe(void);
int pipe(int *ends) {
    int in = __cairn_take_fd(__cairn_input_pipe());
    if (in < 0)
        return -1;
    int out = __cairn_take_fd(__cairn_input_pipe());
    if (out < 0) {
        __cairn_give_fd(in);
        return -1;
    }
    ends[0] = in;
    ends[1] = out;
    return 0;
}

//@ __cairn_template
// Replaces the six X at the end of a name by letters; -1 with EINVAL if they are not there.
size_t __model_strlen(const char *s);
int __cairn_refuse(int error);
char __cairn_input_mktemp(void);
int __cairn_template(char *name) {
    size_t n = __model_strlen(name);
    if (n < 6)
        return __cairn_refuse(22); // EINVAL
    for (size_t i = n - 6; i < n; i++)
        if (name[i] != 'X')
            return __cairn_refuse(22); // EINVAL
    for (size_t i = n - 6; i < n; i++) {
        char c = __cairn_input_mktemp();
        name[i] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : 'a';
    }
    return 0;
}

//@ mkstemp
int __cairn_template(char *name);
int __cairn_take_fd(int fd);
int __cairn_input_mkstemp(void);
int mkstemp(char *name) {
    if (__cairn_template(name) < 0)
        return -1;
    return __cairn_take_fd(__cairn_input_mkstemp());
}
//@= mkstemp mkstemp64

//@ mkostemp
int __model_mkstemp(char *name);
int mkostemp(char *name, int flags) {
    return __model_mkstemp(name);
}

//@ mkdtemp
int __cairn_template(char *name);
int __cairn_fail(void);
int __cairn_input_mkdtemp(void);
char *mkdtemp(char *name) {
    if (__cairn_template(name) < 0)
        return 0;
    if (__cairn_input_mkdtemp() < 0) {
        __cairn_fail();
        return 0;
    }
    return name;
}

//@ mktemp
int __cairn_template(char *name);
char *mktemp(char *name) {
    if (__cairn_template(name) < 0)
        name[0] = 0;
    return name;
}

//@ getpid
// The same number every time.
int __cairn_input_getpid(void);
int getpid(void) {
    static int pid;
    if (!pid) {
        pid = __cairn_input_getpid() & 0x3fffff;
        if (!pid)
            pid = 1;
    }
    return pid;
}

//@ isatty
// 0 with an error, or 1.
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_input_isatty(void);
int isatty(int fd) {
    if (__cairn_fd_open(fd) && __cairn_input_isatty() > 0)
        return 1;
    __cairn_refuse(__cairn_fd_open(fd) ? 25 : 9); // ENOTTY, EBADF
    return 0;
}

//@ optarg optind opterr optopt
char *optarg;
int optind = 1, opterr = 1, optopt = '?';

//@ __cairn_option_at __cairn_skipped_from __cairn_skipped_to
// Inside of an argument with several letters, the next of them; between which places the arguments lie
// that are no options and have been passed over.
char *__cairn_option_at;
int __cairn_skipped_from, __cairn_skipped_to;

//@ __cairn_option_start
// Brings `optind` to the next option. As GNU does, what was passed over moves behind the options, but
// not before the next call. Gives 1 if there is an option, 0 at the end, 2 for an argument that is none
// but is taken as one (`-` first in the letters).
extern int optind;
extern char *__cairn_option_at;
extern int __cairn_skipped_from, __cairn_skipped_to;
static int is_option(const char *argument) {
    return argument[0] == '-' && argument[1];
}
// What was passed over changes places with the options between it and `optind`.
static void move_back(char **argv) {
    for (; __cairn_skipped_to < optind; __cairn_skipped_from++, __cairn_skipped_to++) {
        char *option = argv[__cairn_skipped_to];
        for (int i = __cairn_skipped_to; i > __cairn_skipped_from; i--)
            argv[i] = argv[i - 1];
        argv[__cairn_skipped_from] = option;
    }
}
int __cairn_option_start(int argc, char **argv, const char *letters) {
    if (optind == 0) {
        optind = 1;
        __cairn_skipped_from = __cairn_skipped_to = 1;
    }
    if (__cairn_skipped_to > optind)
        __cairn_skipped_to = optind;
    if (__cairn_skipped_from > optind)
        __cairn_skipped_from = optind;
    if (letters[0] == '+' || letters[0] == '-') {
        if (optind >= argc)
            return 0;
        if (!is_option(argv[optind]))
            return letters[0] == '-' ? 2 : 0;
    } else {
        if (__cairn_skipped_from == __cairn_skipped_to)
            __cairn_skipped_from = __cairn_skipped_to = optind;
        else
            move_back(argv);
        while (optind < argc && !is_option(argv[optind]))
            optind++;
        __cairn_skipped_to = optind;
    }
    if (optind < argc && argv[optind][1] == '-' && !argv[optind][2]) {
        optind++;
        if (letters[0] == '+' || letters[0] == '-')
            return 0;
        if (__cairn_skipped_from == __cairn_skipped_to)
            __cairn_skipped_from = optind;
        else
            move_back(argv);
        __cairn_skipped_to = argc;
        optind = argc;
    }
    if (optind < argc)
        return 1;
    if (__cairn_skipped_from != __cairn_skipped_to && letters[0] != '+' && letters[0] != '-')
        optind = __cairn_skipped_from;
    return 0;
}

//@ getopt
// '?' for an unknown letter or a missing argument (':' if the letters begin with it).
extern char *optarg;
extern int optind, opterr, optopt;
extern char *__cairn_option_at;
extern FILE *stderr;
int __cairn_option_start(int argc, char **argv, const char *letters);
int __model_fprintf(FILE *stream, const char *format, ...);
int getopt(int argc, char *const *argv, const char *letters) {
    optarg = 0;
    if (!__cairn_option_at || !*__cairn_option_at) {
        int found = __cairn_option_start(argc, (char **)argv, letters);
        if (!found)
            return -1;
        if (found == 2) {
            optarg = argv[optind++];
            return 1;
        }
        __cairn_option_at = argv[optind] + 1;
    }
    int quiet = !opterr;
    if (*letters == '+' || *letters == '-')
        letters++;
    int colon = *letters == ':';
    char c = *__cairn_option_at++;
    const char *p = letters;
    while (*p && (*p != c || c == ':' || c == ';'))
        p++;
    int last = !*__cairn_option_at;
    if (last)
        optind++;
    if (!*p) {
        optopt = c;
        if (!quiet && !colon)
            __model_fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        return '?';
    }
    if (p[1] != ':')
        return c;
    if (!last) {
        optarg = __cairn_option_at;
        optind++;
    } else if (p[2] != ':') {
        if (optind >= argc) {
            optopt = c;
            if (!quiet && !colon)
                __model_fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
            return colon ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    __cairn_option_at = 0;
    return c;
}
//@= getopt __posix_getopt

//@ getopt_long
struct option { const char *name; int has_arg; int *flag; int val; };
extern char *optarg;
extern int optind, opterr, optopt;
extern char *__cairn_option_at;
int __cairn_option_start(int argc, char **argv, const char *letters);
int __model_strncmp(const char *a, const char *b, size_t n);
size_t __model_strlen(const char *s);
int __model_getopt(int argc, char *const *argv, const char *letters);
int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options, int *index) {
    if (__cairn_option_at && *__cairn_option_at)
        return __model_getopt(argc, argv, letters);
    int found = __cairn_option_start(argc, (char **)argv, letters);
    if (!found) {
        optarg = 0;
        return -1;
    }
    if (found == 2 || argv[optind][1] != '-')
        return __model_getopt(argc, argv, letters);
    char *name = argv[optind++] + 2;
    size_t n = 0;
    while (name[n] && name[n] != '=')
        n++;
    optarg = 0;
    optopt = 0;
    // A name in full, or the start of only one.
    int at = -1, several = 0;
    for (int i = 0; options[i].name; i++)
        if (__model_strncmp(options[i].name, name, n) == 0) {
            if (__model_strlen(options[i].name) == n) {
                at = i;
                several = 0;
                break;
            }
            if (at >= 0 && (options[at].has_arg != options[i].has_arg || options[at].flag != options[i].flag ||
                            options[at].val != options[i].val))
                several = 1;
            else if (at < 0)
                at = i;
        }
    if (at < 0 || several)
        return '?';
    if (*letters == '+' || *letters == '-')
        letters++;
    if (name[n] == '=') {
        if (!options[at].has_arg) {
            optopt = options[at].val;
            return '?';
        }
        optarg = name + n + 1;
    } else if (options[at].has_arg == 1) {
        if (optind >= argc) {
            optopt = options[at].val;
            return *letters == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (index)
        *index = at;
    if (options[at].flag) {
        *options[at].flag = options[at].val;
        return 0;
    }
    return options[at].val;
}

//@ __cairn_handlers
// What is to happen for each signal: 0 the default, 1 nothing, else a function.
void (*__cairn_handlers[65])(int);

//@ signal
// SIG_ERR with EINVAL for a number that is no signal, or one that cannot be caught.
extern void (*__cairn_handlers[65])(int);
int __cairn_refuse(int error);
void (*signal(int number, void (*handler)(int)))(int) {
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        __cairn_refuse(22); // EINVAL
        return (void (*)(int))-1;
    }
    void (*old)(int) = __cairn_handlers[number];
    __cairn_handlers[number] = handler;
    return old;
}
//@= signal bsd_signal __sysv_signal sysv_signal

//@ raise
// -1 with EINVAL. What nobody handles ends the program, unless it is ignored by default.
extern void (*__cairn_handlers[65])(int);
int __cairn_refuse(int error);
int raise(int number) {
    if (number < 0 || number > 64)
        return __cairn_refuse(22); // EINVAL
    void (*handler)(int) = __cairn_handlers[number];
    if (number == 0 || handler == (void (*)(int))1)
        return 0;
    if (handler) {
        handler(number);
        return 0;
    }
    if (number == 17 || number == 18 || number == 23 || number == 28)
        return 0;
    __cairn_abort();
    return 0;
}

//@ sigemptyset
int sigemptyset(void *set) {
    __cairn_fill(set, 0, 128);
    return 0;
}

//@ sigfillset
int sigfillset(void *set) {
    __cairn_fill(set, 255, 128);
    return 0;
}

//@ sigaddset
int __cairn_refuse(int error);
int sigaddset(unsigned char *set, int number) {
    if (number < 1 || number > 64)
        return __cairn_refuse(22); // EINVAL
    set[(number - 1) / 8] |= (unsigned char)(1 << ((number - 1) % 8));
    return 0;
}

//@ sigdelset
int __cairn_refuse(int error);
int sigdelset(unsigned char *set, int number) {
    if (number < 1 || number > 64)
        return __cairn_refuse(22); // EINVAL
    set[(number - 1) / 8] &= (unsigned char)~(1 << ((number - 1) % 8));
    return 0;
}

//@ sigismember
int __cairn_refuse(int error);
int sigismember(const unsigned char *set, int number) {
    if (number < 1 || number > 64)
        return __cairn_refuse(22); // EINVAL
    return set[(number - 1) / 8] >> ((number - 1) % 8) & 1;
}

//@ fcntl
// A new descriptor for F_DUPFD, what is there for F_GETLK; else any number, or -1 with any error.
int __cairn_fd_open(int fd);
int __cairn_take_fd(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_fcntl(void);
int fcntl(int fd, int command, ...) {
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    int result = __cairn_input_fcntl();
    if (command == 0 || command == 1030)
        return __cairn_take_fd(result);
    if (result < 0)
        return __cairn_fail();
    if (command == 5 || command == 12) {
        va_list ap;
        __builtin_va_start(ap, command);
        int *lock = __builtin_va_arg(ap, int *);
        for (int i = 0; i < (sizeof(long) == 8 ? 8 : command == 12 ? 6 : 4); i++)
            lock[i] = __cairn_input_fcntl();
        __builtin_va_end(ap);
        return 0;
    }
    return result;
}
//@= fcntl fcntl64
