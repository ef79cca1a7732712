#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 and deflateInit2 are macros, which Swift does not import. Adding 16 to the window
// bits selects the gzip format.
static inline int czlib_begin_reading(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

static inline int czlib_begin_writing(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// Negative window bits select the format without a header, as the entries of zip archives have it.
static inline int czlib_begin_reading_entry(z_stream *stream) {
    return inflateInit2(stream, -15);
}

#endif
