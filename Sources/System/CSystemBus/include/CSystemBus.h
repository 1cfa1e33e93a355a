#ifndef CSYSTEMBUS_H
#define CSYSTEMBUS_H

// What this project calls of systemd's D-Bus library, in words that Swift can import. Functions return 0 or more, or C's errno
// below zero. The library is opened when it is first needed: a machine without it is one without a bus.

/// A connection to a bus: sd_bus.
typedef struct cam_bus cam_bus;

/// Why systemd's library cannot be used, in one sentence; NULL when it can.
const char *cam_bus_obstacle(void);
/// Connects to the system's bus, or to the one at `address` unless that is NULL.
int cam_bus_open(const char *address, cam_bus **bus);
/// Connects to the bus of the user's session.
int cam_bus_open_user(cam_bus **bus);
void cam_bus_close(cam_bus *bus);
/// Asks for logind's word when the machine goes to sleep and when it has woken up.
///
/// `report` is called inside of `cam_bus_process`, with 1 before sleep and 0 after it.
int cam_bus_hear_sleep(cam_bus *bus, void (*report)(void *context, int is_before), void *context);
/// Asks logind to wait with sleep until the descriptor that comes back is closed, some seconds at most.
int cam_bus_delay_sleep(cam_bus *bus, const char *who, const char *why);
/// Has feedbackd vibrate for the program of that name; -EBUSY where the user's profile, or the machine, lets nothing vibrate.
///
/// Services older than the interface for it vibrate as for a message.
int cam_bus_vibrate(cam_bus *bus, const char *program, unsigned milliseconds);
/// Handles one message; above zero when there may be more.
int cam_bus_process(cam_bus *bus);
/// The descriptor and the events to poll for, and the moment on CLOCK_MONOTONIC in microseconds when to process in any case.
int cam_bus_waiting(cam_bus *bus, int *descriptor, short *events, unsigned long long *microseconds);

#endif
