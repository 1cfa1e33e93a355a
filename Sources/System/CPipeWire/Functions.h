// What is called of libpipewire, and what the parts of this module share.

#include <pipewire/pipewire.h>
#include <stdbool.h>

#include "CPipeWire.h"

// One line for each function: result, name without `pw_`, parameters.
#define PIPEWIRE_FUNCTIONS(X)                                                                              \
  X(void, init, (int *, char ***))                                                                         \
  X(struct pw_loop *, loop_new, (const struct spa_dict *))                                                 \
  X(void, loop_destroy, (struct pw_loop *))                                                                \
  X(struct pw_thread_loop *, thread_loop_new, (const char *, const struct spa_dict *))                     \
  X(struct pw_loop *, thread_loop_get_loop, (struct pw_thread_loop *))                                     \
  X(int, thread_loop_start, (struct pw_thread_loop *))                                                     \
  X(void, thread_loop_stop, (struct pw_thread_loop *))                                                     \
  X(void, thread_loop_lock, (struct pw_thread_loop *))                                                     \
  X(void, thread_loop_unlock, (struct pw_thread_loop *))                                                   \
  X(void, thread_loop_destroy, (struct pw_thread_loop *))                                                  \
  X(struct pw_context *, context_new, (struct pw_loop *, struct pw_properties *, size_t))                  \
  X(void, context_destroy, (struct pw_context *))                                                          \
  X(struct pw_core *, context_connect_fd, (struct pw_context *, int, struct pw_properties *, size_t))      \
  X(int, core_disconnect, (struct pw_core *))                                                              \
  X(struct pw_properties *, properties_new_dict, (const struct spa_dict *))                                \
  X(void, proxy_destroy, (struct pw_proxy *))                                                              \
  X(struct pw_stream *, stream_new, (struct pw_core *, const char *, struct pw_properties *))              \
  X(void, stream_add_listener,                                                                             \
    (struct pw_stream *, struct spa_hook *, const struct pw_stream_events *, void *))                      \
  X(int, stream_connect,                                                                                   \
    (struct pw_stream *, enum pw_direction, uint32_t, enum pw_stream_flags, const struct spa_pod **, uint32_t)) \
  X(uint32_t, stream_get_node_id, (struct pw_stream *))                                                    \
  X(int, stream_update_params, (struct pw_stream *, const struct spa_pod **, uint32_t))                    \
  X(struct pw_buffer *, stream_dequeue_buffer, (struct pw_stream *))                                       \
  X(int, stream_queue_buffer, (struct pw_stream *, struct pw_buffer *))                                    \
  X(int, stream_trigger_process, (struct pw_stream *))                                                     \
  X(void, stream_destroy, (struct pw_stream *))

#include <CLibraries.h>

typedef struct {
  PIPEWIRE_FUNCTIONS(CAM_FUNCTION_FIELD)
} pipewire_functions;

/// The library once `cam_pipewire_obstacle` has returned NULL.
extern pipewire_functions cam_pipewire_library;
#define LIBRARY cam_pipewire_library

struct node;

struct cam_pipewire {
  struct pw_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct spa_hook core_listener;
  struct spa_source *wake;
  int error;
  cam_pipewire_stream *stream;

  cam_pipewire_watcher watcher;
  struct pw_registry *registry;
  struct spa_hook registry_listener;
  struct node *nodes;
  bool is_managed;
  /// The number of a session manager's metadata, while there is one.
  uint32_t metadata;
  /// How many answers are still to come until all that was there is known, and the number of the next.
  int unsettled, settling;
};

/// PipeWire has answered up to this number.
void cam_watch_done(cam_pipewire *connection, int sequence);
void cam_watch_end(cam_pipewire *connection);
/// Tells the formats that a parameter holds.
void cam_formats_tell(const cam_pipewire_watcher *watcher, uint32_t id, const struct spa_pod *param);
/// PipeWire's names of an encoding; false for those that are no pixels.
bool cam_encoding_pixels(uint32_t encoding, uint32_t *pixels);
uint32_t cam_encoding_subtype(uint32_t encoding);
/// Something of the stream's has failed.
void cam_stream_fail(cam_pipewire_stream *stream, const char *reason);
