#ifndef CFRAMERINGS_H
#define CFRAMERINGS_H

// What a ring of frames needs of the kernel that Swift's Glibc module lacks: sealed memory, a descriptor that goes along with a message,
// and the counters that other processes read. Functions that can fail return C's error, and 0 when they do not.

#include "obscura_ring.h"

/// Makes memory of so many bytes, writable by this mapping alone, and reserves its pages; it keeps its size for ever.
///
/// `name` is what lists of open files show. Another process can neither write to it, nor make it shorter. C: `memfd_create`,
/// F_SEAL_FUTURE_WRITE.
int cam_ring_memory(const char *name, size_t size, int *descriptor, void **memory);

/// A socket's file: the one that was made, not another that has its name.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  uint64_t device, number;
} cam_ring_place;

/// Opens a socket of messages at `path` that this user alone may connect to.
///
/// A socket that no process listens to is replaced, by one program at a time: the file `path` and ".lock" is there meanwhile. EADDRINUSE when one does, ENOTSOCK when something else has the name, ENAMETOOLONG.
int cam_ring_listen(const char *path, int *listener, cam_ring_place *place);
/// Removes the socket's file, unless another one has its name by now.
void cam_ring_remove(const char *path, cam_ring_place place);

/// Opens a descriptor that is given up for a moment when a connection finds no other; below zero without one.
int cam_ring_spare(void);
/// Takes a connection that waits: its descriptor, or one of C's errors below zero.
///
/// Where there is no descriptor left, the connection is ended: -ECONNABORTED. -EAGAIN when none waits. After other errors but -EINTR it
/// still waits, and is worth a try a little later. A spare that is below zero is opened anew.
int cam_ring_accept(int listener, int *spare);
/// Sends a message, with a descriptor beside it unless that is below zero; never blocks: EAGAIN when the reader has not taken earlier ones.
int cam_ring_send(int reader, const void *message, size_t size, int descriptor);

/// Says that the slot is written, with a frame of this time in nanoseconds: before its first byte.
void cam_ring_begin(void *memory, uint32_t slot, uint64_t sequence, int64_t time);
/// Says that the slot holds the frame: after its last byte.
void cam_ring_end(void *memory, uint32_t slot, uint64_t sequence);
/// Says that no frame is drawn into the memory any more: the newest one lies in another.
void cam_ring_retire(void *memory);

#endif
