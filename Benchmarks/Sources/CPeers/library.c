#include "CPeers.h"

#include <glib.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static int run(sqlite3 *database, const char *script) { return sqlite3_exec(database, script, NULL, NULL, NULL); }

static int insert_rows(sqlite3 *database, int count) {
  sqlite3_stmt *asset = NULL, *resource = NULL;
  int failed =
      sqlite3_prepare_v3(database,
                         "INSERT INTO asset(uuid, media_type, media_subtypes, width, height, duration, created, modified, added, "
                         "is_favorite, is_hidden, burst, burst_types, is_burst_key, latitude, longitude, altitude, accuracy, "
                         "located, marks, state, inserted) VALUES(?,1,0,4000,3000,0.0,?,?,?,0,0,NULL,0,0,NULL,NULL,NULL,NULL,NULL,0,0,1)",
                         -1, SQLITE_PREPARE_PERSISTENT, &asset, NULL) ||
      sqlite3_prepare_v3(database,
                         "INSERT INTO resource(asset, type, uti, original_name, path, bytes, modified, width, height) "
                         "VALUES(?,1,'public.jpeg',?,?,3000000,0,4000,3000)",
                         -1, SQLITE_PREPARE_PERSISTENT, &resource, NULL);
  for (int index = 0; index < count && !failed; index++) {
    unsigned char uuid[16];
    char name[32], path[48];
    failed = getrandom(uuid, sizeof uuid, 0) != sizeof uuid;
    snprintf(name, sizeof name, "IMG_%d.jpg", index);
    snprintf(path, sizeof path, "2026-11/%s", name);
    sqlite3_bind_blob(asset, 1, uuid, sizeof uuid, SQLITE_STATIC);
    sqlite3_bind_double(asset, 2, index);
    sqlite3_bind_double(asset, 3, index);
    sqlite3_bind_double(asset, 4, (double)g_get_real_time() / 1e6 - 978307200);
    failed = failed || sqlite3_step(asset) != SQLITE_DONE;
    sqlite3_reset(asset);
    sqlite3_bind_int64(resource, 1, sqlite3_last_insert_rowid(database));
    sqlite3_bind_text(resource, 2, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(resource, 3, path, -1, SQLITE_STATIC);
    failed = failed || sqlite3_step(resource) != SQLITE_DONE;
    sqlite3_reset(resource);
  }
  sqlite3_finalize(asset);
  sqlite3_finalize(resource);
  return failed;
}

struct peer_library {
  sqlite3 *database;
};

peer_library *peer_library_create(const char *path, const char *schema) {
  sqlite3 *database = NULL;
  int failed = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) ||
               run(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;") ||
               run(database, schema);
  peer_library *library = failed ? NULL : malloc(sizeof *library);
  if (library)
    library->database = database;
  else
    sqlite3_close_v2(database);
  return library;
}

int peer_library_fill(peer_library *library, int count) {
  if (run(library->database, "BEGIN IMMEDIATE"))
    return 0;
  int failed = run(library->database, "INSERT INTO revision(made) VALUES(0)") || insert_rows(library->database, count);
  return run(library->database, failed ? "ROLLBACK" : "COMMIT") == 0 && !failed;
}

void peer_library_destroy(peer_library *library) {
  sqlite3_close_v2(library->database);
  free(library);
}

int peer_library_newest(const char *path, const char *folder, int count, int with_paths) {
  sqlite3 *database = NULL;
  sqlite3_stmt *rows = NULL;
  int found = -1;
  size_t bytes = 0;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ||
      sqlite3_prepare_v2(
          database,
          "SELECT a.*, r.path FROM asset a JOIN resource r ON r.asset = a.id WHERE a.state != 2 AND NOT a.is_hidden AND "
          "(a.burst IS NULL OR a.is_burst_key OR a.burst_types & 2) ORDER BY a.created DESC, a.id DESC LIMIT ?",
          -1, &rows, NULL))
    goto end;
  sqlite3_bind_int(rows, 1, count);
  int columns = sqlite3_column_count(rows);
  for (found = 0; sqlite3_step(rows) == SQLITE_ROW; found++) {
    // Each value as it is stored: as another type it would be converted.
    for (int column = 0; column < columns - 1; column++) {
      switch (sqlite3_column_type(rows, column)) {
      case SQLITE_INTEGER: bytes += (size_t)sqlite3_column_int64(rows, column) & 1; break;
      case SQLITE_FLOAT: bytes += sqlite3_column_double(rows, column) > 0; break;
      default: bytes += (size_t)sqlite3_column_bytes(rows, column);
      }
    }
    const char *file = (const char *)sqlite3_column_text(rows, columns - 1);
    if (!with_paths || !file)
      continue;
    char *whole = g_build_filename(folder, file, NULL);
    char *uri = g_filename_to_uri(whole, NULL, NULL);
    char *sum = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1);
    char *thumbnail = g_strdup_printf("%s/.catalogue/thumbnails/large/%s.png", folder, sum);
    bytes += strlen(thumbnail);
    g_free(thumbnail);
    g_free(sum);
    g_free(uri);
    g_free(whole);
  }
end:
  sqlite3_finalize(rows);
  sqlite3_close_v2(database);
  return bytes ? found : -1;
}
