#ifndef CPIPEWIRE_H
#define CPIPEWIRE_H

// What this project calls of libpipewire, and of the desktop's camera portal, in words that Swift can import: PipeWire's own header consists
// of macros and inline functions. The libraries are opened when they are first needed: a machine without them is one without PipeWire. Errors
// are C's errno above zero.

#include <stddef.h>
#include <stdint.h>

/// Why libpipewire cannot be used, in one sentence; NULL when it can.
const char *cam_pipewire_obstacle(void);

typedef struct {
  uint32_t width, height;
} cam_picture_size;

// MARK: Connections

/// A connection to PipeWire: a pw_loop, a pw_context and a pw_core, all used by one thread.
typedef struct cam_pipewire cam_pipewire;

/// Speaks with PipeWire over a connection's descriptor, which is taken over; NULL and the error where that fails.
///
/// While `wake` can be read, turns return at once.
cam_pipewire *cam_pipewire_connect(int descriptor, int wake, int *error);
/// Handles what has come, and waits for it at most so many milliseconds; 0, or the error by which the connection has ended.
int cam_pipewire_turn(cam_pipewire *connection, int milliseconds);
/// Hangs up; NULL is let be.
void cam_pipewire_close(cam_pipewire *connection);

// MARK: Cameras

typedef struct {
  const char *key, *value;
} cam_pipewire_property;

/// How pictures are written; those that are not listed here are `other`.
enum {
  CAM_VIDEO_OTHER,
  CAM_VIDEO_NV12,
  CAM_VIDEO_I420,
  CAM_VIDEO_YV12,
  CAM_VIDEO_YUY2,
  CAM_VIDEO_UYVY,
  CAM_VIDEO_GRAY8,
  CAM_VIDEO_GRAY16,
  CAM_VIDEO_RGB,
  CAM_VIDEO_BGRX,
  CAM_VIDEO_BGRA,
  CAM_VIDEO_MJPG,
  CAM_VIDEO_H264,
};

typedef struct {
  uint32_t numerator, denominator;
} cam_video_rate;

enum { CAM_MOST_RATES = 32, CAM_MOST_BLOCKS = 4 };

typedef struct {
  uint32_t encoding;
  cam_picture_size size;
  /// Frames per second; two of a range, the least first. None where the source does not say.
  uint32_t rate_count;
  int is_rate_range;
  cam_video_rate rates[CAM_MOST_RATES];
  /// Whether luma has all values from 0 to 255; 0 where the source does not say.
  int is_full_range;
  /// Of ITU-R BT.: 601, 709 or 2020; 0 where the source does not say, or says another.
  int matrix;
} cam_video_format;

/// Callbacks in a turn, called with `context`.
typedef struct {
  void *context;
  /// A camera and what is known of it, and its formats follow: it is new, or something has changed; without properties these are as before.
  void (*node)(void *context, uint32_t id, const cam_pipewire_property *properties, uint32_t count);
  /// A format of it.
  void (*format)(void *context, uint32_t id, const cam_video_format *format);
  /// All of its formats have been told.
  void (*described)(void *context, uint32_t id);
  /// What is known of the device that nodes belong to.
  void (*device)(void *context, uint32_t id, const cam_pipewire_property *properties, uint32_t count);
  /// A camera, or a device, is gone.
  void (*removed)(void *context, uint32_t id);
  /// All that was there when the watch began has been told, and whether a session manager runs, which links streams; again when one comes or
  /// goes.
  void (*settled)(void *context, int is_managed);
} cam_pipewire_watcher;

/// Begins to tell of the cameras, once for each connection; 0 or the error.
int cam_pipewire_watch(cam_pipewire *connection, cam_pipewire_watcher watcher);

// MARK: Streams

typedef struct {
  /// The memory's, or -1 for memory that PipeWire has mapped itself.
  int descriptor;
  uint32_t offset, size;
  /// Whether the source calls it another device's.
  int is_dma;
  /// Where PipeWire has mapped it, until the buffer is forgotten; NULL where it has not.
  uint8_t *bytes;
} cam_video_block;

/// The memory of one buffer, in blocks.
typedef struct {
  uint32_t count;
  cam_video_block blocks[CAM_MOST_BLOCKS];
} cam_video_memory;

typedef struct {
  uint32_t offset, size;
  int32_t stride;
} cam_video_part;

/// The bytes of one picture, a part in each block of its buffer's memory.
typedef struct {
  uint32_t count;
  cam_video_part parts[CAM_MOST_BLOCKS];
  /// Nanoseconds of the monotonic clock; -1 without.
  int64_t time;
  uint64_t number;
  int is_broken;
} cam_video_picture;

/// Callbacks in a turn, called with `context`; buffers are numbered from 0 to 63.
typedef struct {
  void *context;
  /// A buffer is there.
  void (*memory)(void *context, uint32_t index, const cam_video_memory *memory);
  /// A buffer will not be filled again.
  void (*forgotten)(void *context, uint32_t index);
  /// A buffer is filled; whether it is kept until `cam_pipewire_stream_return`.
  int (*picture)(void *context, uint32_t index, const cam_video_picture *picture);
  /// The stream has failed, and why.
  void (*failed)(void *context, const char *reason);
} cam_pipewire_consumer;

typedef struct cam_pipewire_stream cam_pipewire_stream;

/// Begins to stream from a node, one for each connection; NULL and the error.
///
/// - serial: The node's `object.serial`, by which a session manager links the stream; NULL where none runs: the stream then links itself.
/// - format: Of the node's, with one rate, or none where the source does not say.
cam_pipewire_stream *cam_pipewire_stream_open(
  cam_pipewire *connection, const char *serial, uint32_t node, const cam_video_format *format, uint32_t buffers,
  cam_pipewire_consumer consumer, int *error);
/// Gives a kept buffer back, on any thread, until the stream is closed.
void cam_pipewire_stream_return(cam_pipewire_stream *stream, uint32_t index);
/// Ends it, after which nothing is called; before its connection is closed.
void cam_pipewire_stream_close(cam_pipewire_stream *stream);

/// Whether a file reaches to `end`: 0 where it does not, 1 where another program may still cut it short, 2 where it stays as long.
int cam_file_reaches(int descriptor, uint64_t end);
/// Maps shared memory that is mapped at `address`, the beginning of a page, a second time; NULL where that fails.
void *cam_map_again(void *address, size_t size);
/// Replaces a mapping by a copy of its bytes at the same place, which only this process has; 0 or the error.
int cam_map_copy(void *address, size_t size);
/// Whether a descriptor's memory is another device's, by the kernel's word: such memory cannot be cut short.
int cam_is_dma(int descriptor);
/// Says that the processor begins (1) or ends (0) to read memory of another device.
void cam_dma_sync(int descriptor, int begins);

// MARK: A camera for others

/// A camera that this program offers to others: a pw_stream and its thread.
typedef struct cam_virtual_camera cam_virtual_camera;

/// Callbacks on the camera's thread, called with `context`; none of them may close the camera or send a picture.
typedef struct {
  void *context;
  /// A program begins to watch, in the size that it has chosen; 0 × 0 when none watches any more.
  void (*watched)(void *context, cam_picture_size size);
  /// The camera is not offered any more: C's errno where PipeWire has ended, else 0 and what it says.
  void (*lost)(void *context, int error, const char *reason);
  /// Writes the newest picture of the size as NV12, the rows of chroma right after those of luma; returns when it was taken, in
  /// nanoseconds of the monotonic clock.
  int64_t (*write)(void *context, uint8_t *bytes, cam_picture_size size, uint32_t bytes_per_row);
} cam_virtual_camera_user;

/// Offers a camera with pictures of one of the sizes, at most eight, over a connection's descriptor, which is taken over; NULL and C's errno
/// in `error` where that fails.
cam_virtual_camera *cam_virtual_camera_open(
  int descriptor, const char *name, const char *title, const cam_picture_size *sizes, uint32_t size_count,
  uint32_t frames_per_second, cam_virtual_camera_user user, int *error);

/// Has `write` called soon, as there is a new picture of this size; from any thread but the camera's.
void cam_virtual_camera_send(cam_virtual_camera *camera, cam_picture_size size);

/// Takes the camera away, after which nothing is called; from any thread but the camera's. NULL is let be.
void cam_virtual_camera_close(cam_virtual_camera *camera);

// MARK: The camera portal

/// A connection to a user's bus, on which the desktop answers for the user; used by one thread.
typedef struct cam_portal cam_portal;

/// Why systemd's D-Bus library cannot be used, in one sentence; NULL when it can.
const char *cam_portal_obstacle(void);
/// Connects to the user's bus, or to the one at `address` unless that is NULL; 0 or the error.
int cam_portal_open(const char *address, cam_portal **portal);
void cam_portal_close(cam_portal *portal);
/// Asks the user for the cameras; 0 or the error, which is EACCES where the desktop gives none to any program.
///
/// `answer` is called inside of `cam_portal_process`: 0 for yes, 1 for no, 2 where the question has ended otherwise.
int cam_portal_ask(
  cam_portal *portal, const char *token, void (*answer)(void *context, uint32_t response), void *context);
/// A descriptor of a connection to PipeWire that has the cameras that the user allowed; or the error below zero, -EACCES for a refusal.
int cam_portal_remote(cam_portal *portal);
/// Handles one message; above zero when there may be more, an error below zero.
int cam_portal_process(cam_portal *portal);
/// The descriptor and the events to poll for, and the moment on CLOCK_MONOTONIC in microseconds when to process in any case; 0, or an error
/// below zero.
int cam_portal_waiting(cam_portal *portal, int *descriptor, short *events, unsigned long long *microseconds);

#endif
