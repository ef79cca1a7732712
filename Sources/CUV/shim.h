#ifndef CUV_SHIM_H
#define CUV_SHIM_H

#include <pthread.h>
#include <sys/eventfd.h>
#include <uv.h>

// pthread_setname_np is declared for _GNU_SOURCE only, so Swift does not see it.
extern int pthread_setname_np(pthread_t, const char *);
static inline int cuv_name_this_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

#endif
