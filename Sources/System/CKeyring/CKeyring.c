#include "CKeyring.h"

#include <CLibraries.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "Functions.h"

// Source: freedesktop.org's Secret Service API, version 0.2; the attributes are those of libsecret's schema org.gnome.keyring.NetworkPassword.
#define SECRETS "org.freedesktop.secrets"
#define SECRETS_PATH "/org/freedesktop/secrets"
#define SECRETS_SERVICE "org.freedesktop.Secret.Service"
#define SECRETS_ITEM "org.freedesktop.Secret.Item"

#define PREFIX "sd_bus_"
enum { kPath = 'o', kArray = 'a', kStruct = 'r', kByte = 'y' };

static struct {
  KEYRING_FUNCTIONS(CAM_FUNCTION_FIELD)
} library;
static char obstacle[500];

static void open_library(void) {
  const char *const files[] = {"libsystemd.so.0", NULL}, *const names[] = {KEYRING_FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  char reason[300];
  if (cam_library_open(files, names, &library, reason, sizeof reason)) return;
  snprintf(
    obstacle, sizeof obstacle,
    "The keyring cannot be read, because systemd's library cannot be used (%s); install the package libsystemd0.", reason);
}

const char *cam_keyring_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

static int open_bus(const char *address, sd_bus **bus) {
  if (!address) return library.open_user(bus);
  int error = library.new(bus);
  if (error >= 0) error = library.set_address(*bus, address);
  if (error >= 0) error = library.set_bus_client(*bus, 1);
  return error < 0 ? error : library.start(*bus);
}

/// The first path of an array of them, and how many there are.
static int read_paths(sd_bus_message *message, const char **first, int *count) {
  int result = library.message_enter_container(message, kArray, "o");
  if (result <= 0) return result < 0 ? result : -EBADMSG;
  const char *path = NULL;
  while ((result = library.message_read_basic(message, kPath, &path)) > 0) {
    if ((*count)++ == 0) *first = path;
  }
  return result < 0 ? result : library.message_exit_container(message);
}

/// Copies the secret of an item: its session, parameters, value and type.
static int read_secret(sd_bus_message *message, char *password, size_t size) {
  const char *session = NULL;
  const void *parameters = NULL, *value = NULL;
  size_t parameters_size = 0, value_size = 0;
  int result = library.message_enter_container(message, kStruct, "oayays");
  if (result > 0) result = library.message_read_basic(message, kPath, &session);
  if (result > 0) result = library.message_read_array(message, kByte, &parameters, &parameters_size);
  if (result >= 0) result = library.message_read_array(message, kByte, &value, &value_size);
  if (result < 0) return result;
  if (value_size >= size) return -EMSGSIZE;
  if (value_size > 0 && memchr(value, 0, value_size)) return -EBADMSG;
  if (value_size > 0) memcpy(password, value, value_size);
  password[value_size] = 0;
  return cam_keyring_found;
}

static int get_secret(sd_bus *bus, const char *item, const char *session, char *password, size_t size) {
  sd_bus_message *answer = NULL;
  sd_bus_error refusal = {0};
  int result = library.call_method(bus, SECRETS, item, SECRETS_ITEM, "GetSecret", &refusal, &answer, "o", session);
  // Locked since it was found.
  int is_locked = refusal.name && strcmp(refusal.name, "org.freedesktop.Secret.Error.IsLocked") == 0;
  library.error_free(&refusal);
  if (result >= 0) result = read_secret(answer, password, size);
  library.message_unref(answer);
  return is_locked ? cam_keyring_locked : result;
}

static int search(sd_bus *bus, const char *session, const char *server, const char *user, char *password, size_t size) {
  sd_bus_message *answer = NULL;
  int result = library.call_method(
    bus, SECRETS, SECRETS_PATH, SECRETS_SERVICE, "SearchItems", NULL, &answer, "a{ss}", 3, "server", server, "user", user, "protocol",
    "rtsp");
  const char *item = NULL, *locked = NULL;
  int items = 0, locked_items = 0;
  if (result >= 0) result = read_paths(answer, &item, &items);
  if (result >= 0) result = read_paths(answer, &locked, &locked_items);
  if (result >= 0) {
    result = items > 0          ? get_secret(bus, item, session, password, size)
             : locked_items > 0 ? cam_keyring_locked
                                : cam_keyring_absent;
  }
  library.message_unref(answer);
  return result;
}

int cam_keyring_read(
  const char *address, unsigned long long microseconds, const char *server, const char *user, char *password, size_t size) {
  if (cam_keyring_obstacle()) return -ELIBACC;
  sd_bus *bus = NULL;
  sd_bus_message *answer = NULL;
  const char *session = NULL;
  int result = open_bus(address, &bus);
  if (result >= 0) result = library.set_method_call_timeout(bus, microseconds);
  // A session that sends secrets as they are; it ends with the connection.
  if (result >= 0)
    result = library.call_method(
      bus, SECRETS, SECRETS_PATH, SECRETS_SERVICE, "OpenSession", NULL, &answer, "sv", "plain", "s", "");
  if (result >= 0) result = library.message_skip(answer, "v");
  if (result >= 0) {
    result = library.message_read_basic(answer, kPath, &session);
    result = result > 0 ? search(bus, session, server, user, password, size) : result < 0 ? result : -EBADMSG;
  }
  library.message_unref(answer);
  library.close_unref(bus);
  return result;
}
