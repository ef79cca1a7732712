#ifndef CPQ_BARE_SHIM_H
#define CPQ_BARE_SHIM_H

#include <libpq-fe.h>

#endif
