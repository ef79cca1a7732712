#ifndef CUV_SHIM_H
#define CUV_SHIM_H

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <uv.h>

// pthread_setname_np is declared only with _GNU_SOURCE, so Swift does not see it.
extern int pthread_setname_np(pthread_t, const char *);
static inline int cuv_name_this_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

// prctl is variadic, and Swift can't call variadic functions.
static inline int cuv_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}
static inline int cuv_is_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

#endif
