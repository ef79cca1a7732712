#define _GNU_SOURCE
#include "measure.h"

#include <fcntl.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

double clock_seconds(int clock) {
    struct timespec time;
    clock_gettime((clockid_t)clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void write_line_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

void give_back_free_memory(void) { malloc_trim(0); }

int run_quietly(const char *program, char *const arguments[]) {
    posix_spawn_file_actions_t files;
    pid_t process;
    int status = -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    int started = posix_spawn(&process, program, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (started != 0 || waitpid(process, &status, 0) != process) return -1;
    return status;
}
