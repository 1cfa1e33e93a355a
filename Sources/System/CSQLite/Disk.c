#include "CSQLite.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// The real file lies behind it in the same memory.
typedef struct {
  sqlite3_file base;
  const char *path;
} watched_file;

static cam_sqlite_ask ask_disk;
static sqlite3_vfs *machine;
static sqlite3_vfs watched;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((watched_file *)file + 1); }

static int answer(int number, int failure) {
  if (number == 0) return SQLITE_OK;
  errno = number;
  return number == ENOSPC ? SQLITE_FULL : failure;
}

static int ask(sqlite3_file *file, int kind, const void *bytes, int64_t count, int64_t place, int failure) {
  const char *path = ((watched_file *)file)->path;
  return path ? answer(ask_disk(kind, path, bytes, count, place), failure) : SQLITE_OK;
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  return real(file)->pMethods->xRead(real(file), bytes, count, place);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  int status = ask(file, CAM_DISK_WRITE, bytes, count, place, SQLITE_IOERR_WRITE);
  return status != SQLITE_OK ? status : real(file)->pMethods->xWrite(real(file), bytes, count, place);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int status = ask(file, CAM_DISK_TRUNCATE, NULL, 0, size, SQLITE_IOERR_TRUNCATE);
  return status != SQLITE_OK ? status : real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int status = ask(file, CAM_DISK_SYNC, NULL, 0, 0, SQLITE_IOERR_FSYNC);
  return status != SQLITE_OK ? status : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int file_check_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int shared_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int shared_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int shared_unmap(sqlite3_file *file, int removes) {
  return real(file)->pMethods->xShmUnmap(real(file), removes);
}

static int fetch(sqlite3_file *file, sqlite3_int64 place, int count, void **memory) {
  return real(file)->pMethods->xFetch(real(file), place, count, memory);
}

static int unfetch(sqlite3_file *file, sqlite3_int64 place, void *memory) {
  return real(file)->pMethods->xUnfetch(real(file), place, memory);
}

// By the version of the real file's table, which says how much of it there is.
#define METHODS(version)                                                                                             \
  {version,         file_close,     file_read,       file_write,    file_truncate,  file_sync, file_size, file_lock, \
   file_unlock,     file_check_lock, file_control,   sector_size,   characteristics, shared_map, shared_lock,        \
   shared_barrier,  shared_unmap,   fetch,           unfetch}
static const sqlite3_io_methods methods[] = {METHODS(1), METHODS(2), METHODS(3)};

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result) {
  watched_file *own = (watched_file *)file;
  memset(own, 0, sizeof *own);
  if (path && (flags & SQLITE_OPEN_CREATE) && access(path, F_OK) != 0) {
    int status = answer(ask_disk(CAM_DISK_OPEN, path, NULL, 0, 0), SQLITE_CANTOPEN);
    if (status != SQLITE_OK) return status;
  }
  int status = machine->xOpen(machine, path, real(file), flags, result);
  if (status != SQLITE_OK) return status;
  int version = real(file)->pMethods->iVersion;
  own->path = path;
  own->base.pMethods = &methods[version < 1 ? 0 : version > 3 ? 2 : version - 1];
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  int status = answer(ask_disk(CAM_DISK_UNLINK, path, NULL, 0, syncs), SQLITE_IOERR_DELETE);
  return status != SQLITE_OK ? status : machine->xDelete(machine, path, syncs);
}

int cam_sqlite_begin(cam_sqlite_ask ask) {
  // Without it every allocation of every connection passes one lock that counts.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  int status = sqlite3_initialize();
  machine = sqlite3_vfs_find(NULL);
  if (status != SQLITE_OK || !machine) return status;
  ask_disk = ask;
  // All else is the machine's own, which knows its settings by this structure.
  watched = *machine;
  watched.zName = CAM_SQLITE_DISK;
  watched.szOsFile += sizeof(watched_file);
  watched.xOpen = disk_open;
  watched.xDelete = disk_delete;
  return sqlite3_vfs_register(&watched, 0);
}
