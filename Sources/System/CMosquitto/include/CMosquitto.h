#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

// What this project calls of libmosquitto, in words that Swift can import. The library is opened when it is first needed: a machine
// without it publishes nothing. Functions return 0, C's errno below zero, or a number of the library's own above zero, for
// `cam_broker_reason`. One thread at a time uses a connection.

#include <stddef.h>

/// A connection to a broker, or one that was not made yet: struct mosquitto.
typedef struct cam_broker cam_broker;

/// Why the library cannot be used, in one sentence; NULL when it can.
const char *cam_broker_obstacle(void);
/// A connection under a client's name that the broker forgets when it ends; NULL without memory.
///
/// `answered` is called inside of `cam_broker_read` with the broker's answer to the greeting, 0 for a welcome; `acknowledged` with the
/// number of a message that the broker has.
cam_broker *cam_broker_new(
    const char *client, void *context, void (*answered)(void *context, int code),
    void (*acknowledged)(void *context, int number));
/// Ends a connection without a word to the broker, unless it was ended before.
void cam_broker_destroy(cam_broker *broker);
int cam_broker_set_login(cam_broker *broker, const char *user, const char *password);
/// Encrypts the connection; the broker's certificate is checked against those of a file, or of a folder where `file` is NULL.
int cam_broker_set_certificates(cam_broker *broker, const char *file, const char *folder);
/// What the broker publishes for us, and keeps, when the connection ends without a word.
int cam_broker_set_will(cam_broker *broker, const char *topic, const void *payload, int size);
/// Opens the connection and sends the greeting; blocks for the network, also for minutes.
int cam_broker_connect(cam_broker *broker, const char *host, int port, int keep_alive_seconds);
/// Says goodbye.
int cam_broker_disconnect(cam_broker *broker);
/// Sends a message that the broker acknowledges by the number that is returned.
int cam_broker_publish(
    cam_broker *broker, int *number, const char *topic, const void *payload, int size, int is_kept);
/// The descriptor to poll; -1 without a connection.
int cam_broker_socket(cam_broker *broker);
int cam_broker_wants_write(cam_broker *broker);
int cam_broker_read(cam_broker *broker);
int cam_broker_write(cam_broker *broker);
/// Sends what keeps the connection alive; to be called every few seconds.
int cam_broker_care(cam_broker *broker);
/// What a number above zero means.
const char *cam_broker_reason(int error);
/// What an answer other than 0 means.
const char *cam_broker_refusal(int code);

#endif
