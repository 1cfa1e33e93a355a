#include "CFakeKeyring.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#include "../../Sources/System/CKeyring/Functions.h"

// What the project declares of systemd's library is what its header says.
#define SAME(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(sd_bus_##name), result parameters), #name);
KEYRING_FUNCTIONS(SAME)

#define PATH "/org/freedesktop/secrets"
#define EMPTY PATH "/collection/session"
#define COLLECTION PATH "/collection/login"
#define ITEM COLLECTION "/7"
#define SESSION PATH "/session/s1"

struct fake_keyring {
  sd_bus *bus;
  pthread_t thread;
  char *server, *user, *secret;
  // Held while the secret is read or changed, or a question counted.
  pthread_mutex_t lock;
  pthread_cond_t asked;
  int questions;
  atomic_int dialogs;
  int state;
  int wake[2];
};

static int open_session(sd_bus_message *message, void *context, sd_bus_error *error) {
  fake_keyring *keyring = context;
  const char *algorithm = NULL;
  pthread_mutex_lock(&keyring->lock);
  keyring->questions++;
  pthread_cond_broadcast(&keyring->asked);
  pthread_mutex_unlock(&keyring->lock);
  if (keyring->state == FAKE_KEYRING_HUNG) return 1;
  if (sd_bus_message_read(message, "s", &algorithm) <= 0 || strcmp(algorithm, "plain") != 0)
    return sd_bus_error_set_const(error, "org.freedesktop.DBus.Error.NotSupported", "plain sessions only");
  return sd_bus_reply_method_return(message, "vo", "s", "", SESSION);
}

static int get_collections(
  sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *answer, void *context,
  sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)context, (void)error;
  return sd_bus_message_append(answer, "ao", 2, EMPTY, COLLECTION);
}

static int get_locked(
  sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *answer, void *context,
  sd_bus_error *error) {
  (void)bus, (void)interface, (void)property, (void)error;
  fake_keyring *keyring = context;
  int is_locked = keyring->state == FAKE_KEYRING_LOCKED && strcmp(path, COLLECTION) == 0;
  return sd_bus_message_append(answer, "b", is_locked);
}

/// Whether all attributes that are asked for are the item's.
static int is_wanted(fake_keyring *keyring, sd_bus_message *message) {
  const char *key = NULL, *value = NULL;
  int is_wanted = 1;
  if (sd_bus_message_enter_container(message, 'a', "{ss}") > 0) {
    while (sd_bus_message_read(message, "{ss}", &key, &value) > 0) {
      const char *own = strcmp(key, "server") == 0     ? keyring->server
                        : strcmp(key, "user") == 0     ? keyring->user
                        : strcmp(key, "protocol") == 0 ? "rtsp"
                                                       : "";
      if (strcmp(value, own) != 0) is_wanted = 0;
    }
    sd_bus_message_exit_container(message);
  }
  return is_wanted;
}

/// The search of all collections, which opens a dialog for those that are locked, as KeePassXC's does.
static int search(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  fake_keyring *keyring = context;
  int is_locked = keyring->state == FAKE_KEYRING_LOCKED;
  if (is_locked) atomic_fetch_add(&keyring->dialogs, 1);
  if (!is_wanted(keyring, message)) return sd_bus_reply_method_return(message, "aoao", 0, 0);
  if (is_locked) return sd_bus_reply_method_return(message, "aoao", 0, 1, ITEM);
  return sd_bus_reply_method_return(message, "aoao", 1, ITEM, 0);
}

static int search_collection(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  fake_keyring *keyring = context;
  if (strcmp(sd_bus_message_get_path(message), COLLECTION) != 0) return sd_bus_reply_method_return(message, "ao", 0);
  if (keyring->state == FAKE_KEYRING_LOCKED) atomic_fetch_add(&keyring->dialogs, 1);
  if (!is_wanted(keyring, message)) return sd_bus_reply_method_return(message, "ao", 0);
  return sd_bus_reply_method_return(message, "ao", 1, ITEM);
}

static int get_secret(sd_bus_message *message, void *context, sd_bus_error *error) {
  fake_keyring *keyring = context;
  const char *session = NULL;
  if (keyring->state == FAKE_KEYRING_LOCKING)
    return sd_bus_error_set_const(error, "org.freedesktop.Secret.Error.IsLocked", "locked");
  if (sd_bus_message_read(message, "o", &session) <= 0 || strcmp(session, SESSION) != 0)
    return sd_bus_error_set_const(error, "org.freedesktop.Secret.Error.NoSession", "no such session");
  sd_bus_message *answer = NULL;
  int result = sd_bus_message_new_method_return(message, &answer);
  if (result >= 0) result = sd_bus_message_open_container(answer, 'r', "oayays");
  if (result >= 0) result = sd_bus_message_append(answer, "o", session);
  if (result >= 0) result = sd_bus_message_append_array(answer, 'y', NULL, 0);
  pthread_mutex_lock(&keyring->lock);
  if (result >= 0) result = sd_bus_message_append_array(answer, 'y', keyring->secret, strlen(keyring->secret));
  pthread_mutex_unlock(&keyring->lock);
  if (result >= 0) result = sd_bus_message_append(answer, "s", "text/plain");
  if (result >= 0) result = sd_bus_message_close_container(answer);
  if (result >= 0) result = sd_bus_send(keyring->bus, answer, NULL);
  sd_bus_message_unref(answer);
  return result < 0 ? result : 1;
}

static const sd_bus_vtable service[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("OpenSession", "sv", "vo", open_session, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_METHOD("SearchItems", "a{ss}", "aoao", search, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_PROPERTY("Collections", "ao", get_collections, 0, 0),
  SD_BUS_VTABLE_END};

static const sd_bus_vtable collection[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("SearchItems", "a{ss}", "ao", search_collection, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_PROPERTY("Locked", "b", get_locked, 0, 0),
  SD_BUS_VTABLE_END};

static const sd_bus_vtable item[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("GetSecret", "o", "(oayays)", get_secret, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END};

static void *run(void *argument) {
  fake_keyring *keyring = argument;
  while (1) {
    int more = sd_bus_process(keyring->bus, NULL);
    if (more < 0) return NULL;
    if (more > 0) continue;
    struct pollfd descriptors[2] = {
      {.fd = sd_bus_get_fd(keyring->bus), .events = (short)sd_bus_get_events(keyring->bus)},
      {.fd = keyring->wake[0], .events = POLLIN}};
    poll(descriptors, 2, 1000);
    if (descriptors[1].revents != 0) return NULL;
  }
}

static void dispose(fake_keyring *keyring) {
  sd_bus_close_unref(keyring->bus);
  close(keyring->wake[0]);
  close(keyring->wake[1]);
  free(keyring->server);
  free(keyring->user);
  free(keyring->secret);
  pthread_cond_destroy(&keyring->asked);
  pthread_mutex_destroy(&keyring->lock);
  free(keyring);
}

fake_keyring *fake_keyring_start(
  const char *address, const char *server, const char *user, const char *secret, int state) {
  fake_keyring *keyring = calloc(1, sizeof *keyring);
  if (!keyring) return NULL;
  keyring->server = strdup(server);
  keyring->user = strdup(user);
  keyring->secret = strdup(secret);
  pthread_mutex_init(&keyring->lock, NULL);
  pthread_cond_init(&keyring->asked, NULL);
  keyring->state = state;
  keyring->wake[0] = keyring->wake[1] = -1;
  if (pipe2(keyring->wake, O_CLOEXEC | O_NONBLOCK) != 0 || sd_bus_new(&keyring->bus) < 0 ||
      sd_bus_set_address(keyring->bus, address) < 0 || sd_bus_set_bus_client(keyring->bus, 1) < 0 ||
      sd_bus_start(keyring->bus) < 0 ||
      sd_bus_add_object_vtable(keyring->bus, NULL, PATH, "org.freedesktop.Secret.Service", service, keyring) < 0 ||
      sd_bus_add_object_vtable(keyring->bus, NULL, EMPTY, "org.freedesktop.Secret.Collection", collection, keyring) < 0 ||
      sd_bus_add_object_vtable(keyring->bus, NULL, COLLECTION, "org.freedesktop.Secret.Collection", collection, keyring) < 0 ||
      sd_bus_add_object_vtable(keyring->bus, NULL, ITEM, "org.freedesktop.Secret.Item", item, keyring) < 0 ||
      sd_bus_request_name(keyring->bus, "org.freedesktop.secrets", 0) < 0 ||
      pthread_create(&keyring->thread, NULL, run, keyring) != 0) {
    dispose(keyring);
    return NULL;
  }
  return keyring;
}

void fake_keyring_set_secret(fake_keyring *keyring, const char *secret) {
  char *copy = strdup(secret);
  if (!copy) return;
  pthread_mutex_lock(&keyring->lock);
  free(keyring->secret);
  keyring->secret = copy;
  pthread_mutex_unlock(&keyring->lock);
}

int fake_keyring_questions(fake_keyring *keyring) {
  pthread_mutex_lock(&keyring->lock);
  int questions = keyring->questions;
  pthread_mutex_unlock(&keyring->lock);
  return questions;
}

int fake_keyring_wait(fake_keyring *keyring, int questions, long long deadline) {
  struct timespec end = {deadline / 1000000000, deadline % 1000000000};
  int error = 0;
  pthread_mutex_lock(&keyring->lock);
  while (keyring->questions < questions && error == 0)
    error = pthread_cond_clockwait(&keyring->asked, &keyring->lock, CLOCK_MONOTONIC, &end);
  int has_come = keyring->questions >= questions;
  pthread_mutex_unlock(&keyring->lock);
  return has_come;
}

int fake_keyring_dialogs(fake_keyring *keyring) { return atomic_load(&keyring->dialogs); }

void fake_keyring_stop(fake_keyring *keyring) {
  char byte = 0;
  if (write(keyring->wake[1], &byte, 1) < 0) return;
  pthread_join(keyring->thread, NULL);
  dispose(keyring);
}
