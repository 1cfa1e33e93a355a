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
#define SECRETS_COLLECTION "org.freedesktop.Secret.Collection"
#define SECRETS_ITEM "org.freedesktop.Secret.Item"
#define PROPERTIES "org.freedesktop.DBus.Properties"

#define PREFIX "sd_bus_"
enum { kPath = 'o', kArray = 'a', kStruct = 'r', kByte = 'y', kVariant = 'v', kBoolean = 'b', kMostCollections = 64 };

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
  int has_locked = refusal.name && strcmp(refusal.name, "org.freedesktop.Secret.Error.IsLocked") == 0;
  library.error_free(&refusal);
  if (result >= 0) result = read_secret(answer, password, size);
  library.message_unref(answer);
  return has_locked ? cam_keyring_locked : result;
}

/// Asks for a property of an object; the answer stands before its value, of that type.
static int get_property(
  sd_bus *bus, const char *path, const char *interface, const char *name, const char *type, sd_bus_message **answer) {
  int result = library.call_method(bus, SECRETS, path, PROPERTIES, "Get", NULL, answer, "ss", interface, name);
  if (result >= 0) result = library.message_enter_container(*answer, kVariant, type);
  return result == 0 ? -EBADMSG : result;
}

static int is_locked(sd_bus *bus, const char *collection) {
  sd_bus_message *answer = NULL;
  int value = 1, result = get_property(bus, collection, SECRETS_COLLECTION, "Locked", "b", &answer);
  if (result >= 0) result = library.message_read_basic(answer, kBoolean, &value);
  library.message_unref(answer);
  return result < 0 ? result : value != 0;
}

/// The secret of the first item that a collection has.
static int search_collection(
  sd_bus *bus, const char *collection, const char *session, const char *server, const char *user, char *password, size_t size) {
  sd_bus_message *answer = NULL;
  int result = library.call_method(
    bus, SECRETS, collection, SECRETS_COLLECTION, "SearchItems", NULL, &answer, "a{ss}", 3, "server", server, "user", user, "protocol",
    "rtsp");
  const char *item = NULL;
  if (result >= 0) result = library.message_enter_container(answer, kArray, "o");
  if (result >= 0) result = library.message_read_basic(answer, kPath, &item);
  if (result >= 0) result = result > 0 ? get_secret(bus, item, session, password, size) : cam_keyring_absent;
  library.message_unref(answer);
  return result;
}

/// Searches each collection that is not locked. Some keyrings open a dialog when a locked one is searched, or all at once.
static int search(sd_bus *bus, const char *session, const char *server, const char *user, char *password, size_t size) {
  sd_bus_message *answer = NULL;
  const char *collection = NULL;
  int outcome = cam_keyring_absent, failure = 0;
  int result = get_property(bus, SECRETS_PATH, SECRETS_SERVICE, "Collections", "ao", &answer);
  if (result >= 0) result = library.message_enter_container(answer, kArray, "o");
  for (int count = 0; result >= 0 && count < kMostCollections; count++) {
    result = library.message_read_basic(answer, kPath, &collection);
    if (result <= 0) break;
    int found = is_locked(bus, collection);
    if (found == 0) {
      found = search_collection(bus, collection, session, server, user, password, size);
    } else if (found > 0) {
      found = cam_keyring_locked;
    }
    if (found == cam_keyring_found) outcome = cam_keyring_found;
    if (found == cam_keyring_locked) outcome = cam_keyring_locked;
    if (found < 0) failure = found;
    if (found == cam_keyring_found || found == -ETIMEDOUT) break;
  }
  library.message_unref(answer);
  if (outcome != cam_keyring_absent) return outcome;
  return result < 0 ? result : failure < 0 ? failure : outcome;
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
