#ifndef CSQLITE_H
#define CSQLITE_H

// SQLite, and what of it Swift cannot import: macros that cast, and functions with variable arguments.

#include <sqlite3.h>
#include <stdint.h>

/// The changes that SQLite makes of files.
enum { CAM_DISK_OPEN, CAM_DISK_WRITE, CAM_DISK_SYNC, CAM_DISK_TRUNCATE, CAM_DISK_UNLINK };
/// Asked before each of them: 0 lets it be made, a number of errno refuses it. Of a removal the place says whether the folder is
/// synced with it.
typedef int (*cam_sqlite_ask)(int kind, const char *path, const void *bytes, int64_t count, int64_t place);
/// The name of the file system that asks, for sqlite3_open_v2.
#define CAM_SQLITE_DISK "obscura"

/// Binds text that SQLite copies.
int cam_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count);
/// Binds bytes that SQLite copies.
int cam_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count);
/// Sets what the process shares among its connections; before the first one.
int cam_sqlite_begin(cam_sqlite_ask ask);

#endif
