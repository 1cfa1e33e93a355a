#ifndef CPIPEWIRE_H
#define CPIPEWIRE_H

// The calls of libpipewire that this program needs; its own header consists of macros and inline functions, which Swift does not import.

#include <stdint.h>

/// A camera that this program offers to others: a pw_stream and its thread.
typedef struct cam_virtual_camera cam_virtual_camera;

typedef struct {
  uint32_t width, height;
} cam_picture_size;

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

/// Offers a camera with pictures of one of the sizes, at most eight; without PipeWire, NULL and C's errno in `error`.
cam_virtual_camera *cam_virtual_camera_open(
  const char *name, const char *title, const cam_picture_size *sizes, uint32_t size_count,
  uint32_t frames_per_second, cam_virtual_camera_user user, int *error);

/// Has `write` called soon, as there is a new picture of this size; from any thread but the camera's.
void cam_virtual_camera_send(cam_virtual_camera *camera, cam_picture_size size);

/// Takes the camera away, after which nothing is called; from any thread but the camera's. NULL is let be.
void cam_virtual_camera_close(cam_virtual_camera *camera);

#endif
