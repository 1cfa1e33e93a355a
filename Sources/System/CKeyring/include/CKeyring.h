#ifndef CKEYRING_H
#define CKEYRING_H

// What this project calls of systemd's D-Bus library to read the desktop's keyring, in words that Swift can import. The library is
// opened when it is first needed.

#include <stddef.h>

/// Why systemd's library cannot be used, in one sentence; NULL when it can.
const char *cam_keyring_obstacle(void);

enum {
  cam_keyring_found = 0,
  /// There is no such item.
  cam_keyring_absent = 1,
  /// There is one that is locked, or a part of the keyring that is, and may have one.
  cam_keyring_locked = 2
};

/// Reads the password of a server's user for RTSP, at most `size` bytes with its 0.
///
/// Asks the bus at `address`, or the user's where that is NULL, and waits so long for each answer. Nothing is unlocked, and nothing that is
/// locked is searched, which opens dialogs. What comes back is one of the words above, or C's errno below zero.
int cam_keyring_read(
  const char *address, unsigned long long microseconds, const char *server, const char *user, char *password, size_t size);

#endif
