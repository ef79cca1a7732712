#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <fcntl.h>
#include <sqlite3.h>

// SQLITE_STATIC is a cast to a function pointer, which Swift does not import. The bytes must remain
// in place until the statement is reset.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

// SQLITE_TRANSIENT is a cast to a function pointer as well; with it SQLite copies the bytes.
static inline int csqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// As above, for text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// F_OFD_SETLK is declared only with _GNU_SOURCE, and fcntl is variadic.
#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#endif

// Locks (F_WRLCK) or unlocks (F_UNLCK) one byte for the open file description, without waiting.
static inline int csqlite_lock_byte(int file, short kind, off_t offset) {
    struct flock lock = {0};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = offset;
    lock.l_len = 1;
    return fcntl(file, F_OFD_SETLK, &lock);
}

#endif
