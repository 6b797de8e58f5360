// Streams: what they are, how bytes are read and written, where they stand.
//
// Bytes of a descriptor are inputs (`__cairn_read_byte`), for files as for standard input:
// what was written to a file is not remembered, and reading again may give other bytes.
// Streams in memory (`fmemopen`, `open_memstream`, `tmpfile`) are exact.
//
// The three standard streams do not fail: standard input ends or gives a byte, and what
// goes to standard output arrives. With any other stream each operation may fail, as an
// input decides, with any error.

//@ __cairn_files
FILE __cairn_files[3] = {{.fd = 0, .reads = 1}, {.fd = 1, .writes = 1}, {.fd = 2, .writes = 1}};

//@ stdin
extern FILE __cairn_files[3];
FILE *stdin = &__cairn_files[0];

//@ stdout
extern FILE __cairn_files[3];
FILE *stdout = &__cairn_files[1];

//@ stderr
extern FILE __cairn_files[3];
FILE *stderr = &__cairn_files[2];

//@ __cairn_fd
// The descriptor of a stream, -1 if it has none.
extern FILE __cairn_files[3];
int __cairn_fd(FILE *stream) {
    if (stream == &__cairn_files[1])
        return 1;
    if (stream == &__cairn_files[2])
        return 2;
    if (stream == &__cairn_files[0])
        return 0;
    return stream->fd;
}

//@ __cairn_fail
// Fails with an error that an input decides.
int *__errno_location(void);
int __cairn_input_errno(void);
int __cairn_fail(void) {
    int error = __cairn_input_errno();
    *__errno_location() = error > 0 && error < 134 ? error : 5; // EIO
    return -1;
}

//@ __cairn_refuse
// Fails with this error.
int *__errno_location(void);
int __cairn_refuse(int error) {
    *__errno_location() = error;
    return -1;
}

//@ __cairn_open_fds
// Which descriptors are open, one bit each. A process has at most 1024, as by default in Linux.
unsigned long long __cairn_open_fds[16] = {7};

//@ __cairn_fd_open
// Is it the number of an open descriptor?
extern unsigned long long __cairn_open_fds[16];
int __cairn_fd_open(int fd) {
    return fd >= 0 && fd < 1024 && (__cairn_open_fds[fd / 64] >> (fd % 64) & 1);
}

//@ __cairn_take_fd
// Opens the descriptor that an input proposes, if it is free: what is open already is not only ours
// to know, so any free one may be the lowest. Otherwise fails.
extern unsigned long long __cairn_open_fds[16];
int __cairn_fail(void);
int __cairn_take_fd(int fd) {
    if (fd < 0 || fd >= 1024 || (__cairn_open_fds[fd / 64] >> (fd % 64) & 1))
        return __cairn_fail();
    __cairn_open_fds[fd / 64] |= 1ULL << (fd % 64);
    return fd;
}

//@ __cairn_give_fd
extern unsigned long long __cairn_open_fds[16];
void __cairn_give_fd(int fd) {
    if (fd >= 0 && fd < 1024)
        __cairn_open_fds[fd / 64] &= ~(1ULL << (fd % 64));
}

//@ __cairn_mode
// Sets what a stream may do from the mode of `fopen`; -1 with EINVAL if it is none.
int __cairn_refuse(int error);
int __cairn_mode(FILE *stream, const char *mode) {
    char first = *mode;
    if (first != 'r' && first != 'w' && first != 'a')
        return __cairn_refuse(22); // EINVAL
    int both = 0;
    for (int i = 1; i < 8 && mode[i]; i++)
        both |= mode[i] == '+';
    stream->reads = both || first == 'r';
    stream->writes = both || first != 'r';
    stream->appends = first == 'a';
    return 0;
}

//@ fopen
// Any error; EINVAL for a mode that is none.
int __cairn_mode(FILE *stream, const char *mode);
int __cairn_take_fd(int fd);
int __cairn_input_fopen(void);
FILE *fopen(const char *path, const char *mode) {
    FILE form = {0};
    *(volatile const char *)path;
    if (__cairn_mode(&form, mode) < 0)
        return 0;
    int fd = __cairn_take_fd(__cairn_input_fopen());
    if (fd < 0)
        return 0;
    FILE *stream = __cairn_alloc_zeroed(sizeof *stream);
    stream->fd = fd;
    stream->reads = form.reads;
    stream->writes = form.writes;
    stream->appends = form.appends;
    return stream;
}
//@= fopen fopen64

//@ fdopen
// EBADF for a descriptor that is not open, EINVAL for a mode that is none; any error.
int __cairn_mode(FILE *stream, const char *mode);
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_fdopen(void);
FILE *fdopen(int fd, const char *mode) {
    FILE form = {0};
    if (__cairn_mode(&form, mode) < 0)
        return 0;
    if (!__cairn_fd_open(fd)) {
        __cairn_refuse(9); // EBADF
        return 0;
    }
    if (__cairn_input_fdopen() < 0) {
        __cairn_fail();
        return 0;
    }
    FILE *stream = __cairn_alloc_zeroed(sizeof *stream);
    stream->fd = fd;
    stream->reads = form.reads;
    stream->writes = form.writes;
    stream->appends = form.appends;
    return stream;
}

//@ popen
FILE *__model_fopen(const char *path, const char *mode);
FILE *popen(const char *command, const char *mode) {
    return __model_fopen(command, mode);
}

//@ pclose
// The state of the command, or -1 with any error.
int __model_fclose(FILE *stream);
int __cairn_fail(void);
int __cairn_input_pclose(void);
int pclose(FILE *stream) {
    __model_fclose(stream);
    int state = __cairn_input_pclose();
    return state == -1 ? __cairn_fail() : state;
}

//@ freopen
// Null with any error: then the stream is closed.
extern FILE __cairn_files[3];
extern int __cairn_pushed, __cairn_at_end;
int __model_fclose(FILE *stream);
int __cairn_mode(FILE *stream, const char *mode);
int __cairn_fail(void);
int __cairn_input_freopen(void);
FILE *freopen(const char *path, const char *mode, FILE *stream) {
    FILE form = {0};
    if (__cairn_mode(&form, mode) < 0 || __cairn_input_freopen() < 0) {
        __model_fclose(stream);
        __cairn_fail();
        return 0;
    }
    if (stream == &__cairn_files[0]) {
        __cairn_pushed = -1;
        __cairn_at_end = 0;
    }
    stream->flags = 0;
    stream->pushed_count = 0;
    stream->position = 0;
    stream->reads = form.reads;
    stream->writes = form.writes;
    stream->appends = form.appends;
    return stream;
}
//@= freopen freopen64

//@ fclose
// EOF with any error; the stream is gone all the same.
extern FILE __cairn_files[3];
int __cairn_sync(FILE *stream);
void __cairn_give_fd(int fd);
int __cairn_fail(void);
int __cairn_input_fclose(void);
int fclose(FILE *stream) {
    int fd = stream->fd, kind = stream->kind;
    if (stream == &__cairn_files[0] || stream == &__cairn_files[1] || stream == &__cairn_files[2]) {
        stream->reads = stream->writes = 0;
        __cairn_give_fd(fd);
        return 0;
    }
    if (kind) {
        __cairn_sync(stream);
        if (kind == 2 && !stream->result && stream->data)
            __cairn_free(stream->data);
    }
    __cairn_give_fd(fd);
    __cairn_free(stream);
    if (!kind && __cairn_input_fclose() < 0)
        return __cairn_fail();
    return 0;
}

//@ fcloseall
int fcloseall(void) {
    return 0;
}

//@ __cairn_sync
// Brings a stream in memory up to date: the end is marked, and the program told where it is.
int __cairn_sync(FILE *stream) {
    if (stream->kind == 1 && stream->writes && stream->size < stream->room)
        stream->data[stream->size] = 0;
    if (stream->kind == 2 && stream->result) {
        *stream->result = stream->data;
        *stream->result_size = (size_t)stream->position < stream->size ? (size_t)stream->position : stream->size;
    }
    return 0;
}

//@ fflush
// EOF with any error.
extern FILE __cairn_files[3];
int __cairn_sync(FILE *stream);
int __cairn_fail(void);
int __cairn_input_fflush(void);
int fflush(FILE *stream) {
    if (!stream || stream == &__cairn_files[1] || stream == &__cairn_files[2] || stream == &__cairn_files[0])
        return 0;
    if (stream->kind)
        return __cairn_sync(stream);
    if (stream->writes && __cairn_input_fflush() < 0) {
        stream->flags |= 32;
        return __cairn_fail();
    }
    return 0;
}
//@= fflush fflush_unlocked

//@ __cairn_pushed __cairn_at_end
// The byte given back to standard input (-1: none), and whether its end was met.
int __cairn_pushed = -1;
int __cairn_at_end;

//@ getchar
extern int __cairn_pushed, __cairn_at_end;
int getchar(void) {
    int c = __cairn_pushed;
    __cairn_pushed = -1;
    if (c < 0)
        c = __cairn_read_byte(0);
    if (c < 0)
        __cairn_at_end = 1;
    return c;
}
//@= getchar getchar_unlocked

//@ fgetc
// EOF at the end; EBADF on a stream that is only written; any error on a file.
extern FILE __cairn_files[3];
int __model_getchar(void);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_ferror(void);
int fgetc(FILE *stream) {
    if (stream == &__cairn_files[0])
        return __model_getchar();
    if (stream->pushed_count) {
        stream->position++;
        return stream->pushed[--stream->pushed_count & 3];
    }
    if (!stream->reads) {
        stream->flags |= 32;
        return __cairn_refuse(9); // EBADF
    }
    int c;
    if (stream->kind) {
        c = -1;
        if ((size_t)stream->position < stream->size)
            c = (unsigned char)stream->data[stream->position];
        if (stream->kind == 3 && c == 0)
            c = -1;
        if (c < 0)
            stream->flags |= 16;
    } else {
        c = __cairn_read_byte(stream->fd);
        if (c < 0 && __cairn_input_ferror() < 0) {
            stream->flags |= 32;
            __cairn_fail();
        } else if (c < 0)
            stream->flags |= 16;
    }
    if (c >= 0)
        stream->position++;
    return c;
}
//@= fgetc getc _IO_getc getc_unlocked fgetc_unlocked __uflow

//@ ungetc
// EOF if there is no room: for one byte there always is.
extern FILE __cairn_files[3];
extern int __cairn_pushed, __cairn_at_end;
int ungetc(int c, FILE *stream) {
    if (c == -1)
        return -1;
    if (stream == &__cairn_files[0]) {
        __cairn_pushed = (unsigned char)c;
        __cairn_at_end = 0;
        return (unsigned char)c;
    }
    if (stream->pushed_count >= 4)
        return -1;
    stream->pushed[stream->pushed_count++ & 3] = (unsigned char)c;
    stream->position--;
    stream->flags &= ~16;
    return (unsigned char)c;
}

//@ feof
extern FILE __cairn_files[3];
extern int __cairn_at_end;
int feof(FILE *stream) {
    if (stream == &__cairn_files[0])
        return __cairn_at_end;
    return (stream->flags & 16) != 0;
}
//@= feof feof_unlocked _IO_feof

//@ ferror
int ferror(FILE *stream) {
    return (stream->flags & 32) != 0;
}
//@= ferror ferror_unlocked _IO_ferror

//@ clearerr
extern FILE __cairn_files[3];
extern int __cairn_at_end;
void clearerr(FILE *stream) {
    if (stream == &__cairn_files[0])
        __cairn_at_end = 0;
    stream->flags &= ~48;
}
//@= clearerr clearerr_unlocked

//@ fileno
// EBADF for a stream without a descriptor.
int __cairn_fd(FILE *stream);
int __cairn_refuse(int error);
int fileno(FILE *stream) {
    int fd = __cairn_fd(stream);
    return fd < 0 ? __cairn_refuse(9) : fd;
}
//@= fileno fileno_unlocked

//@ __cairn_grow
// Room for `n` bytes in a stream that grows, zeros where nothing was written, and for the end.
void __cairn_grow(FILE *stream, size_t n) {
    if (n < stream->room)
        return;
    size_t room = 2 * n + 16;
    char *data = __cairn_alloc_zeroed(room);
    if (stream->size)
        __cairn_copy(data, stream->data, stream->size);
    if (stream->data)
        __cairn_free(stream->data);
    stream->data = data;
    stream->room = room;
}

//@ __cairn_put
// Writes bytes and gives how many were written. Fewer is a failure: EBADF on a stream that is only
// read, ENOSPC in memory that is full, any error on a file.
extern FILE __cairn_files[3];
int __cairn_refuse(int error);
int __cairn_fail(void);
void __cairn_grow(FILE *stream, size_t n);
size_t __cairn_input_fwrite(void);
long __cairn_input_ftell(void);
size_t __cairn_put(FILE *stream, const void *bytes, size_t n) {
    if (stream == &__cairn_files[1] || stream == &__cairn_files[2]) {
        __cairn_write(stream == &__cairn_files[1] ? 1 : 2, bytes, n);
        return n;
    }
    if (n == 0)
        return 0;
    if (!stream->writes) {
        stream->flags |= 32;
        __cairn_refuse(9); // EBADF
        return 0;
    }
    if (!stream->kind) {
        __cairn_write(-1, bytes, n);
        size_t done = __cairn_input_fwrite();
        if (done < n) {
            stream->flags |= 32;
            __cairn_fail();
        } else
            done = n;
        if (stream->appends)
            stream->position = __cairn_input_ftell() & (long)((unsigned long)-1 / 2);
        else
            stream->position += (long)done;
        return done;
    }
    if (stream->appends)
        stream->position = (long)stream->size;
    size_t at = (size_t)stream->position, done = n;
    if (stream->kind == 2)
        __cairn_grow(stream, at + n);
    else if (at >= stream->room || n > stream->room - at) {
        done = at < stream->room ? stream->room - at : 0;
        stream->flags |= 32;
        __cairn_refuse(28); // ENOSPC
    }
    __cairn_copy(stream->data + at, bytes, done);
    stream->position += (long)done;
    if ((size_t)stream->position > stream->size)
        stream->size = (size_t)stream->position;
    return done;
}

//@ fseek
// -1 with EINVAL for a place before the start or a bad `whence`; with any error on a descriptor.
extern FILE __cairn_files[3];
extern int __cairn_pushed, __cairn_at_end;
int __cairn_refuse(int error);
int __cairn_fail(void);
long __cairn_input_fseek(void);
int fseek(FILE *stream, long offset, int whence) {
    if (whence < 0 || whence > 2)
        return __cairn_refuse(22); // EINVAL
    long from = whence == 1 ? stream->position : 0;
    if (!stream->kind) {
        // Where the file ends.
        long end = __cairn_input_fseek();
        if (end < 0)
            return __cairn_fail();
        if (whence == 2)
            from = end;
    } else if (whence == 2)
        from = (long)stream->size;
    long to;
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return __cairn_refuse(22); // EINVAL
    if (stream->kind == 1 && (size_t)to > stream->room)
        return __cairn_refuse(22); // EINVAL
    if (stream == &__cairn_files[0]) {
        __cairn_pushed = -1;
        __cairn_at_end = 0;
    }
    stream->pushed_count = 0;
    stream->flags &= ~16;
    stream->position = to;
    return 0;
}
//@= fseek fseeko

//@ ftell
// -1 with any error on a descriptor. Where a standard stream stands is not known.
extern FILE __cairn_files[3];
int __cairn_fail(void);
long __cairn_input_ftell(void);
long ftell(FILE *stream) {
    if (stream->kind)
        return stream->position;
    long at = __cairn_input_ftell();
    if (at < 0)
        return __cairn_fail();
    return stream->fd <= 2 ? at : stream->position;
}
//@= ftell ftello

//@ fseeko64
int __model_fseek(FILE *stream, long offset, int whence);
int __cairn_refuse(int error);
int fseeko64(FILE *stream, long long offset, int whence) {
    if (offset != (long)offset)
        return __cairn_refuse(22); // EINVAL
    return __model_fseek(stream, (long)offset, whence);
}

//@ ftello64
long __model_ftell(FILE *stream);
long long ftello64(FILE *stream) {
    return __model_ftell(stream);
}

//@ rewind
int __model_fseek(FILE *stream, long offset, int whence);
void rewind(FILE *stream) {
    __model_fseek(stream, 0, 0);
    stream->flags &= ~32;
}

//@ fgetpos
// Nonzero with any error on a descriptor.
long __model_ftell(FILE *stream);
int fgetpos(FILE *stream, long *position) {
    long at = __model_ftell(stream);
    if (at < 0)
        return -1;
    position[0] = at;
    return 0;
}

//@ fsetpos
int __model_fseek(FILE *stream, long offset, int whence);
int fsetpos(FILE *stream, const long *position) {
    return __model_fseek(stream, position[0], 0);
}

//@ fmemopen
// Null with EINVAL for a size of 0 or a mode that is none.
int __cairn_mode(FILE *stream, const char *mode);
int __cairn_refuse(int error);
size_t __model_strnlen(const char *s, size_t max);
FILE *fmemopen(void *buffer, size_t room, const char *mode) {
    FILE form = {0};
    if (__cairn_mode(&form, mode) < 0)
        return 0;
    FILE *stream = __cairn_alloc_zeroed(sizeof *stream);
    stream->fd = -1;
    stream->kind = 1;
    stream->reads = form.reads;
    stream->writes = form.writes;
    stream->appends = form.appends;
    stream->data = buffer ? buffer : __cairn_alloc_zeroed(room);
    stream->room = room;
    if (*mode == 'r')
        stream->size = room;
    else if (*mode == 'a') {
        stream->size = __model_strnlen(stream->data, room);
        stream->position = (long)stream->size;
    }
    return stream;
}

//@ open_memstream
FILE *open_memstream(char **result, size_t *size) {
    FILE *stream = __cairn_alloc_zeroed(sizeof *stream);
    stream->fd = -1;
    stream->kind = 2;
    stream->writes = 1;
    stream->room = 16;
    stream->data = __cairn_alloc_zeroed(stream->room);
    stream->result = result;
    stream->result_size = size;
    return stream;
}

//@ tmpfile
// Null with any error. What is written is remembered.
int __cairn_take_fd(int fd);
int __cairn_input_tmpfile(void);
FILE *tmpfile(void) {
    int fd = __cairn_take_fd(__cairn_input_tmpfile());
    if (fd < 0)
        return 0;
    FILE *stream = __cairn_alloc_zeroed(sizeof *stream);
    stream->fd = fd;
    stream->kind = 2;
    stream->reads = stream->writes = 1;
    return stream;
}
//@= tmpfile tmpfile64

//@ setbuf
void setbuf(FILE *stream, char *buf) {}

//@ setbuffer
void setbuffer(FILE *stream, char *buf, size_t n) {}

//@ setlinebuf
void setlinebuf(FILE *stream) {}

//@ setvbuf
int setvbuf(FILE *stream, char *buf, int mode, size_t size) {
    return mode < 0 || mode > 2 ? -1 : 0;
}

//@ flockfile
// There is only one thread.
void flockfile(FILE *stream) {}
//@= flockfile funlockfile

//@ ftrylockfile
int ftrylockfile(FILE *stream) {
    return 0;
}
