#ifndef CSQLITE_BARE_SHIM_H
#define CSQLITE_BARE_SHIM_H

#include <sqlite3.h>

// SQLITE_STATIC and SQLITE_TRANSIENT are cast macros, which Swift does not import. Blobs stay where
// they are until the statement is reset; texts are short and copied.
static inline int bare_bind_blob(sqlite3_stmt *s, int i, const void *bytes, int count) {
    return sqlite3_bind_blob(s, i, bytes, count, SQLITE_STATIC);
}
static inline int bare_bind_text(sqlite3_stmt *s, int i, const char *text, int count) {
    return sqlite3_bind_text(s, i, text, count, SQLITE_TRANSIENT);
}

#endif
