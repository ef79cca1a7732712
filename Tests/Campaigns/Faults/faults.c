// Loaded before the C library (LD_PRELOAD) into a program under test: lets the file system and the
// clock fail it.
//
//   FAULTS_PATH=TEXT        only files whose path contains TEXT count
//   FAULTS_KILL=N           the N-th call that changes such a file is the process's last
//   FAULTS_WHEN=before      it ends before the call (the default), with half of a write done
//                           (torn), or after it
//   FAULTS_SWITCH=FILE      two lines that may change at any time: the errno with which changing
//                           calls fail (0: none), and by how many seconds the wall clock is off
//
// The end is SIGKILL: nothing of the program runs afterwards.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

/// Reads a line of the switch: 0 is the errno, 1 the seconds.
static long switched(int line) {
    const char *path = getenv("FAULTS_SWITCH");
    if (!path) return 0;
    int kept = errno;
    char text[64] = {0};
    int file = NEXT(open)(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) { errno = kept; return 0; }
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    errno = kept;
    if (count <= 0) return 0;
    char *place = text;
    if (line == 1) { place = strchr(text, '\n'); if (!place) return 0; place++; }
    return strtol(place, NULL, 10);
}

static int path_counts(const char *path) {
    const char *wanted = getenv("FAULTS_PATH");
    return wanted && path && strstr(path, wanted) != NULL;
}

static int file_counts(int file) {
    if (!getenv("FAULTS_PATH")) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return path_counts(path);
}

static int is(const char *word) {
    const char *when = getenv("FAULTS_WHEN");
    return strcmp(when ? when : "before", word) == 0;
}

static void end(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

/// Whether this call is the last one; ends the process at once when nothing of the call is to
/// happen.
static int last(void) {
    const char *number = getenv("FAULTS_KILL");
    if (!number || atomic_fetch_add(&calls, 1) + 1 != atol(number)) return 0;
    if (is("before")) end();
    return 1;
}

/// The errno with which the call fails, or 0.
static int failing(void) { return (int)switched(0); }

/// What of a write is done before the end: disks and kernels write a sector as a whole or not at
/// all.
static size_t half(size_t count, off64_t offset) {
    return offset >= 0 && offset % 512 + count <= 512 ? 0 : count / 2;
}

#define CHANGE(type, counts, call, torn)                             \
    if (!(counts)) return call;                                      \
    int failure = failing();                                         \
    if (failure) { errno = failure; return (type)-1; }               \
    int ends = last();                                               \
    if (ends && is("torn")) { torn; end(); }                         \
    type result = call;                                              \
    if (ends) end();                                                 \
    return result;

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    CHANGE(ssize_t, file_counts(file), NEXT(pwrite64)(file, bytes, count, offset),
           (void)NEXT(pwrite64)(file, bytes, half(count, offset), offset))
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    CHANGE(ssize_t, file_counts(file), NEXT(pwrite)(file, bytes, count, offset),
           (void)NEXT(pwrite)(file, bytes, half(count, offset), offset))
}

ssize_t write(int file, const void *bytes, size_t count) {
    CHANGE(ssize_t, file_counts(file), NEXT(write)(file, bytes, count),
           (void)NEXT(write)(file, bytes, half(count, lseek64(file, 0, SEEK_CUR))))
}

int fsync(int file) { CHANGE(int, file_counts(file), NEXT(fsync)(file), ) }
int fdatasync(int file) { CHANGE(int, file_counts(file), NEXT(fdatasync)(file), ) }
int ftruncate(int file, off_t size) { CHANGE(int, file_counts(file), NEXT(ftruncate)(file, size), ) }
int ftruncate64(int file, off64_t size) {
    CHANGE(int, file_counts(file), NEXT(ftruncate64)(file, size), )
}
int rename(const char *from, const char *to) { CHANGE(int, path_counts(to), NEXT(rename)(from, to), ) }
int unlink(const char *path) { CHANGE(int, path_counts(path), NEXT(unlink)(path), ) }

static int opened(const char *path, int flags, mode_t mode) {
    if (flags & (O_CREAT | O_WRONLY | O_RDWR)) {
        CHANGE(int, path_counts(path), NEXT(open)(path, flags, mode), )
    }
    return NEXT(open)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags | O_LARGEFILE, mode);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = NEXT(clock_gettime)(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += switched(1);
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int result = NEXT(gettimeofday)(now, zone);
    if (result == 0) now->tv_sec += switched(1);
    return result;
}
