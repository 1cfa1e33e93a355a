// Reads frames that `obscura serve --ring SOCKET` offers, or any program with Obscura's SharedFrameRing, where they lie: nothing is copied.
//
// One header, C99 and C++, for Linux; nothing to link. Put it into your project and include it:
//
//   struct obscura_ring ring;
//   struct obscura_frame frame;
//   int result = obscura_ring_connect(&ring, "/run/user/1000/camera");
//   while (result == 0 && (result = obscura_ring_next(&ring, &frame, -1)) == 1) {
//     use(frame.pixels, frame.width, frame.height, frame.stride);   // rows of blue, green, red, 255
//     result = 0;
//     if (!obscura_ring_is_valid(&ring, &frame)) continue;          // was overwritten meanwhile: forget what came of it
//   }
//   obscura_ring_close(&ring);
//
// The ring is memory of some slots. A frame is drawn once, into one of them, for all readers; it stays there until the ring has gone
// round. No reader holds up the camera: one that takes longer than that sees by obscura_ring_is_valid() that its frame was overwritten,
// and one that comes late gets the newest frame, and in `missed` how many it has not had.
//
// How it works, for readers in other languages. Over a Unix socket (SOCK_SEQPACKET) the ring sends a hello, with the memory's file
// descriptor beside it (SCM_RIGHTS), and then a message for each frame. Another hello follows when the size of frames changes: another
// memory, in which the frames after it lie. A reader sends nothing. Numbers are in the machine's own order of bytes. Readers leave
// alone messages of a kind that they do not know, and bytes behind what they know of one.
//
// Messages only wake a reader: the kernel keeps a few of the oldest for one that does not take them, and the ring drops the rest. What
// frames there are stands in the memory. It begins with 8 bytes that are 0 until frames are drawn into another memory; then a hello
// comes with the next frame. At 64 + 64 × slot lies the slot's counter, of 8 bytes: 2 × sequence of the frame that lies there, and
// 2 × sequence − 1 while that is written. The frame's time follows, of 8 bytes. So a reader takes all messages that have come, looks for
// the slot with the greatest even counter, copies the time, and looks whether the counter is still the same. Pixels begin at first_offset
// + slot × slot_size.
#ifndef OBSCURA_RING_H
#define OBSCURA_RING_H

// Strict C99 has no clock but for this.
#if defined(__STRICT_ANSI__) && !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef CLOCK_MONOTONIC
#error "In strict C, include obscura_ring.h before other headers, or define _POSIX_C_SOURCE as 200809L."
#endif

#define OBSCURA_RING_MAGIC 0x676e6952u
#define OBSCURA_RING_VERSION 1
#define OBSCURA_RING_HELLO 1
#define OBSCURA_RING_FRAME 2
/// Four bytes for a pixel: blue, green, red, and 255.
#define OBSCURA_RING_BGRA 0x42475241u
/// From one slot's counter to the next one's, and from the memory's begin to the first.
#define OBSCURA_RING_COUNTER_STEP 64

/// The first message, with the memory's descriptor, and one whenever the memory is another.
struct obscura_ring_hello {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  /// Counts the memories of a ring; a frame lies in the one of its own number.
  uint64_t generation;
  uint64_t memory_size;
  /// From one slot's pixels to the next one's, and from the memory's begin to the first, in bytes.
  uint64_t slot_size, first_offset;
  /// Frames up to this one were drawn before the reader came, or lie in another memory: it gets those after it.
  uint64_t after;
  uint32_t slot_count;
  /// The size of all frames in this memory.
  uint32_t width, height;
  /// From one row to the next, in bytes.
  uint32_t stride;
  /// OBSCURA_RING_BGRA.
  uint32_t pixel_format;
  uint32_t reserved;
};

/// The message for a frame: it can be read.
struct obscura_ring_news {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  uint64_t generation;
  /// Counts the ring's frames, from 1 on, in all generations.
  uint64_t sequence;
};

/// A reader's end of a ring.
struct obscura_ring {
  /// To wait for beside others: readable when there is news, mostly a frame, or the ring is gone.
  int socket;
  unsigned char *memory;
  /// How it is laid out.
  struct obscura_ring_hello layout;
  /// The frame that obscura_ring_next() has given last; 0 for none.
  uint64_t sequence;
  /// What reading has ended with, below zero; 0 as long as it goes on.
  int error;
};

/// A frame, where it lies in the ring.
struct obscura_frame {
  /// Rows from top to bottom, to be read only, until the next call of obscura_ring_next() or obscura_ring_close().
  const unsigned char *pixels;
  uint32_t width, height;
  /// From one row to the next, in bytes.
  uint32_t stride;
  /// OBSCURA_RING_BGRA.
  uint32_t pixel_format;
  /// Counts the ring's frames.
  uint64_t sequence;
  /// When it was exposed, in nanoseconds of CLOCK_MONOTONIC.
  int64_t time;
  /// How many frames there were since the one that this reader got before.
  uint64_t missed;
  uint64_t generation;
  uint32_t slot;
};

/// Ends reading; the frames are gone with it. May be called again.
static inline void obscura_ring_close(struct obscura_ring *ring) {
  if (ring->memory) munmap(ring->memory, (size_t)ring->layout.memory_size);
  if (ring->socket >= 0) close(ring->socket);
  memset(ring, 0, sizeof *ring);
  ring->socket = -1;
}

/// Connects to the ring whose socket has this path.
///
/// 0, or one of C's errors below zero: -ENOENT or -ECONNREFUSED where no ring is offered, -EACCES where it is another user's.
static inline int obscura_ring_connect(struct obscura_ring *ring, const char *path) {
  struct sockaddr_un address;
  memset(ring, 0, sizeof *ring);
  ring->socket = -1;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  memcpy(address.sun_path, path, strlen(path));
  ring->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (ring->socket < 0) return -errno;
  if (connect(ring->socket, (const struct sockaddr *)&address, sizeof address) != 0) {
    int error = errno;
    obscura_ring_close(ring);
    return -error;
  }
  return 0;
}

static inline const uint64_t *obscura_ring_counter(const struct obscura_ring *ring, uint32_t slot) {
  return (const uint64_t *)(const void *)(ring->memory + OBSCURA_RING_COUNTER_STEP * ((size_t)slot + 1));
}

/// Whether the frame still lies in the ring as it was drawn: 1, or 0 once it is being overwritten, or was.
///
/// To be asked after its pixels were used.
static inline int obscura_ring_is_valid(const struct obscura_ring *ring, const struct obscura_frame *frame) {
  if (!ring->memory || frame->generation != ring->layout.generation || frame->slot >= ring->layout.slot_count) return 0;
  // What was read of the pixels was read before the counter.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return __atomic_load_n(obscura_ring_counter(ring, frame->slot), __ATOMIC_ACQUIRE) == 2 * frame->sequence;
}

/// Takes the memory of a hello; `descriptor` is closed. 0, or an error below zero.
static inline int obscura_ring_take_hello(
    struct obscura_ring *ring, const struct obscura_ring_hello *hello, int descriptor) {
  void *memory;
  int error = 0;
  if (descriptor < 0) return -EMFILE;
  if (hello->slot_count == 0 || hello->memory_size > (uint64_t)(SIZE_MAX / 2) || hello->first_offset > hello->memory_size ||
      hello->first_offset / OBSCURA_RING_COUNTER_STEP <= hello->slot_count ||
      hello->slot_size > (hello->memory_size - hello->first_offset) / hello->slot_count ||
      (uint64_t)hello->stride * hello->height > hello->slot_size) {
    close(descriptor);
    return -EPROTO;
  }
  memory = mmap(NULL, (size_t)hello->memory_size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) error = errno;
  close(descriptor);
  if (error) return -error;
  if (ring->memory) munmap(ring->memory, (size_t)ring->layout.memory_size);
  ring->memory = (unsigned char *)memory;
  ring->layout = *hello;
  return 0;
}

/// Finds the newest frame that lies in the memory: 1, or 0 where this reader has had it.
static inline int obscura_ring_newest(const struct obscura_ring *ring, struct obscura_frame *frame) {
  const struct obscura_ring_hello *layout = &ring->layout;
  const uint64_t had = ring->sequence > layout->after ? ring->sequence : layout->after;
  if (!ring->memory) return 0;
  // The ring does not tell of a frame whose messages found no room: what is in memory is read after the messages were taken.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n((const uint64_t *)(const void *)ring->memory, __ATOMIC_ACQUIRE) != 0) return 0;
  for (;;) {
    uint64_t newest = 0;
    uint32_t slot, at = 0;
    for (slot = 0; slot < layout->slot_count; slot++) {
      const uint64_t count = __atomic_load_n(obscura_ring_counter(ring, slot), __ATOMIC_ACQUIRE);
      if (count % 2 != 0 || count <= newest) continue;
      newest = count;
      at = slot;
    }
    if (newest / 2 <= had) return 0;
    frame->pixels = ring->memory + layout->first_offset + layout->slot_size * at;
    frame->width = layout->width;
    frame->height = layout->height;
    frame->stride = layout->stride;
    frame->pixel_format = layout->pixel_format;
    frame->sequence = newest / 2;
    frame->time = (int64_t)__atomic_load_n(obscura_ring_counter(ring, at) + 1, __ATOMIC_RELAXED);
    frame->generation = layout->generation;
    frame->slot = at;
    frame->missed = ring->sequence ? frame->sequence - ring->sequence - 1 : 0;
    // One that is overwritten by now has a newer one beside it.
    if (obscura_ring_is_valid(ring, frame)) return 1;
  }
}

/// Takes one message, if there is one: its kind, 0 without one, or an error below zero.
static inline int obscura_ring_take(struct obscura_ring *ring) {
  struct obscura_ring_hello message;
  union {
    struct cmsghdr header;
    unsigned char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part;
  struct msghdr parts;
  struct cmsghdr *beside;
  ssize_t count;
  int descriptor = -1;
  memset(&message, 0, sizeof message);
  memset(&parts, 0, sizeof parts);
  part.iov_base = &message;
  part.iov_len = sizeof message;
  parts.msg_iov = &part;
  parts.msg_iovlen = 1;
  parts.msg_control = &control;
  parts.msg_controllen = sizeof control;
  do count = recvmsg(ring->socket, &parts, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno == ECONNRESET ? -EPIPE : -errno;
  if (count == 0) return -EPIPE;
  for (beside = CMSG_FIRSTHDR(&parts); beside; beside = CMSG_NXTHDR(&parts, beside)) {
    if (beside->cmsg_level != SOL_SOCKET || beside->cmsg_type != SCM_RIGHTS) continue;
    if (descriptor >= 0) close(descriptor);
    memcpy(&descriptor, CMSG_DATA(beside), sizeof descriptor);
  }
  if (message.magic == OBSCURA_RING_MAGIC && message.version == OBSCURA_RING_VERSION && message.kind != 0) {
    int result = message.kind;
    if (message.kind == OBSCURA_RING_HELLO && count >= (ssize_t)sizeof message) {
      int error = obscura_ring_take_hello(ring, &message, descriptor);
      return error < 0 ? error : result;
    }
    if (descriptor >= 0) close(descriptor);
    return message.kind == OBSCURA_RING_HELLO ? -EPROTO : result;
  }
  if (descriptor >= 0) close(descriptor);
  return message.magic == OBSCURA_RING_MAGIC && message.version != OBSCURA_RING_VERSION ? -EPROTONOSUPPORT : -EPROTO;
}

/// Now, in milliseconds of CLOCK_MONOTONIC.
static inline int64_t obscura_ring_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits for a frame that this reader has not had, and gives the newest.
///
/// 1 with a frame; 0 when none has come in time; -EPIPE when the ring is gone, as its program has ended; -EINTR when a signal came;
/// -EPROTONOSUPPORT when the ring is of a newer version than this header; else one of C's errors below zero, such as -EMFILE or -ENOMEM
/// where a memory cannot be taken. After any but -EINTR every call has that answer: close the ring, and connect again.
/// `timeout` is in milliseconds from the call on, whatever comes meanwhile; 0 does not wait, and a negative one waits for ever: a camera
/// that is away says nothing.
static inline int obscura_ring_next(struct obscura_ring *ring, struct obscura_frame *frame, int timeout) {
  const int64_t end = timeout > 0 ? obscura_ring_now() + timeout : 0;
  int left = timeout;
  if (ring->socket < 0) return -EBADF;
  if (ring->error < 0) return ring->error;
  for (;;) {
    struct pollfd waiting;
    int result;
    do result = obscura_ring_take(ring);
    while (result > 0);
    // Where a memory could not be taken, the newest frames lie there; the last ones of a ring that is gone are still the newest.
    if (result < 0 && result != -EPIPE) return ring->error = result;
    if (obscura_ring_newest(ring, frame)) {
      ring->sequence = frame->sequence;
      return 1;
    }
    if (result < 0) return ring->error = result;
    waiting.fd = ring->socket;
    waiting.events = POLLIN;
    waiting.revents = 0;
    // News that brings no frame, such as a hello, begins no new wait.
    if (timeout > 0) {
      const int64_t rest = end - obscura_ring_now();
      left = rest > 0 ? (int)rest : 0;
    }
    result = poll(&waiting, 1, left);
    if (result == 0 || (result > 0 && left == 0)) return 0;
    if (result < 0) return errno == EINTR ? -EINTR : (ring->error = -errno);
  }
}

#endif
