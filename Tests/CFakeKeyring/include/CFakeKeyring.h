#ifndef CFAKEKEYRING_H
#define CFAKEKEYRING_H

/// A desktop's keyring with one password, on a bus that the test has started.
typedef struct fake_keyring fake_keyring;

enum {
  FAKE_KEYRING_OPEN = 0,
  FAKE_KEYRING_LOCKED = 1,
  /// It takes questions, and answers none.
  FAKE_KEYRING_HUNG = 2,
  /// It locks itself between the search and the reading.
  FAKE_KEYRING_LOCKING = 3
};

/// Takes the keyring's name on the bus at `address` and answers from then on; NULL when it cannot.
///
/// It holds `secret` for `user` at `server` by the protocol rtsp.
fake_keyring *fake_keyring_start(
  const char *address, const char *server, const char *user, const char *secret, int state);

/// Keeps another password from then on.
void fake_keyring_set_secret(fake_keyring *keyring, const char *secret);

/// How often it was asked, each time with a session of its own.
int fake_keyring_questions(fake_keyring *keyring);

/// Waits for so many questions until a moment of the monotonic clock, in nanoseconds; whether they came.
int fake_keyring_wait(fake_keyring *keyring, int questions, long long deadline);

/// How many dialogs a keyring would have opened that unlocks what is searched.
int fake_keyring_dialogs(fake_keyring *keyring);

void fake_keyring_stop(fake_keyring *keyring);

#endif
