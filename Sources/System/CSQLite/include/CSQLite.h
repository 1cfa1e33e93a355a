#ifndef CSQLITE_H
#define CSQLITE_H

// SQLite, and what of it Swift cannot import: macros that cast, and functions with variable arguments.

#include <sqlite3.h>

/// Binds text that SQLite copies.
int cam_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count);
/// Binds bytes that SQLite copies.
int cam_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count);
/// Sets what the process shares among its connections; before the first one.
int cam_sqlite_begin(void);

#endif
