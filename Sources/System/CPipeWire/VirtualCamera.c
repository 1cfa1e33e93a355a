#include <errno.h>
#include <spa/param/video/format-utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "Functions.h"

enum { MOST_SIZES = 8, MOST_BUFFERS = 64, MOST_FAILURES = 5 };

/// A buffer, in which run of watching it was sent, and as which picture; run 0 where it was not.
struct sent_buffer {
  struct pw_buffer *buffer;
  uint64_t run, number;
  /// How many programs read it; NULL where they do not say.
  struct spa_meta_busy *busy;
};

struct cam_virtual_camera {
  cam_virtual_camera_user user;
  struct pw_thread_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct pw_stream *stream;
  struct spa_hook core_listener, listener;
  /// The size that programs watch.
  cam_picture_size size;
  bool is_watched;
  bool has_new;
  bool is_disconnected;
  uint64_t sent;
  /// Counts the times that programs began to watch.
  uint64_t run;
  struct sent_buffer buffers[MOST_BUFFERS];
  /// How many times in a row there was no buffer.
  int failures;
};

static uint32_t bytes_per_row(cam_picture_size size) { return (size.width + 3) / 4 * 4; }

static uint32_t byte_count(cam_picture_size size) {
  return bytes_per_row(size) * (size.height + (size.height + 1) / 2);
}

static void state_changed(
  void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error)
{
  cam_virtual_camera *camera = data;
  (void)old;
  bool is_watched = state == PW_STREAM_STATE_STREAMING;
  if (is_watched != camera->is_watched) {
    camera->is_watched = is_watched;
    camera->has_new = false;
    if (is_watched) camera->run++;
    camera->user.watched(camera->user.context, is_watched ? camera->size : (cam_picture_size){0, 0});
  }
  if (state == PW_STREAM_STATE_ERROR || state == PW_STREAM_STATE_UNCONNECTED)
    camera->user.lost(camera->user.context, camera->is_disconnected ? EPIPE : 0, error ? error : "");
}

static void param_changed(void *data, uint32_t id, const struct spa_pod *param) {
  cam_virtual_camera *camera = data;
  struct spa_video_info_raw format = {0};
  if (id != SPA_PARAM_Format || !param || spa_format_video_raw_parse(param, &format) < 0) return;
  camera->size = (cam_picture_size){format.size.width, format.size.height};
  uint8_t memory[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  const struct spa_pod *params[] = {
    spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers,
      SPA_PARAM_BUFFERS_buffers, SPA_POD_CHOICE_RANGE_Int(4, 2, 64),
      SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1),
      SPA_PARAM_BUFFERS_size, SPA_POD_Int((int)byte_count(camera->size)),
      SPA_PARAM_BUFFERS_stride, SPA_POD_Int((int)bytes_per_row(camera->size))),
    spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
      SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
      SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_header))),
    spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
      SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Busy),
      SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_busy))),
  };
  LIBRARY.stream_update_params(camera->stream, params, 3);
  // A size may change while programs watch.
  if (camera->is_watched) camera->user.watched(camera->user.context, camera->size);
}

static void buffer_added(void *data, struct pw_buffer *buffer) {
  cam_virtual_camera *camera = data;
  buffer->user_data = NULL;
  for (size_t index = 0; index < MOST_BUFFERS && !buffer->user_data; index++) {
    if (camera->buffers[index].buffer) continue;
    camera->buffers[index] = (struct sent_buffer){
      .buffer = buffer,
      .busy = spa_buffer_find_meta_data(buffer->buffer, SPA_META_Busy, sizeof(struct spa_meta_busy))};
    buffer->user_data = &camera->buffers[index];
  }
}

static void buffer_removed(void *data, struct pw_buffer *buffer) {
  (void)data;
  if (buffer->user_data) *(struct sent_buffer *)buffer->user_data = (struct sent_buffer){0};
}

/// A buffer to write to; NULL while programs read all of them.
static struct pw_buffer *take_buffer(cam_virtual_camera *camera) {
  struct pw_buffer *buffer = LIBRARY.stream_dequeue_buffer(camera->stream);
  struct sent_buffer *chosen = buffer ? buffer->user_data : NULL;
  // PipeWire keeps the buffers when all programs have left, and does not give back what these held; and where a program was late for a
  // picture, that picture's buffer does not come back either.
  bool is_starved = !buffer && ++camera->failures >= MOST_FAILURES;
  for (size_t index = 0; index < MOST_BUFFERS && !buffer; index++) {
    struct sent_buffer *sent = &camera->buffers[index];
    if (!sent->buffer || sent->run == 0) continue;
    bool is_free = sent->run < camera->run || (is_starved && !(sent->busy && sent->busy->count > 0));
    if (is_free && (!chosen || sent->number < chosen->number)) chosen = sent;
  }
  if (!buffer && chosen) {
    buffer = chosen->buffer;
    // As if it had been taken from the queue.
    if (chosen->busy) chosen->busy->count = 1;
  }
  if (buffer) camera->failures = 0;
  if (chosen) {
    chosen->run = camera->run;
    chosen->number = camera->sent;
  }
  return buffer;
}

static void process(void *data) {
  cam_virtual_camera *camera = data;
  if (!camera->has_new) return;
  struct pw_buffer *buffer = take_buffer(camera);
  // The programs still read all buffers: they get the next picture.
  if (!buffer) return;
  camera->has_new = false;
  struct spa_data *block = &buffer->buffer->datas[0];
  if (block->data && block->maxsize >= byte_count(camera->size)) {
    struct spa_meta_header *header =
      spa_buffer_find_meta_data(buffer->buffer, SPA_META_Header, sizeof(struct spa_meta_header));
    int64_t time =
      camera->user.write(camera->user.context, block->data, camera->size, bytes_per_row(camera->size));
    if (header) *header = (struct spa_meta_header){.pts = time, .seq = camera->sent++};
    *block->chunk = (struct spa_chunk){
      .size = byte_count(camera->size), .stride = (int32_t)bytes_per_row(camera->size)};
  } else {
    *block->chunk = (struct spa_chunk){.flags = SPA_CHUNK_FLAG_CORRUPTED};
  }
  LIBRARY.stream_queue_buffer(camera->stream, buffer);
}

static void core_error(void *data, uint32_t id, int sequence, int result, const char *message) {
  cam_virtual_camera *camera = data;
  if (id == PW_ID_CORE && result == -EPIPE) camera->is_disconnected = true;
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .error = core_error};

static const struct pw_stream_events events = {
  PW_VERSION_STREAM_EVENTS,
  .state_changed = state_changed,
  .param_changed = param_changed,
  .add_buffer = buffer_added,
  .remove_buffer = buffer_removed,
  .process = process,
};

static int offer(
  cam_virtual_camera *camera, int descriptor, const char *name, const char *title, const cam_picture_size *sizes,
  uint32_t size_count, uint32_t frames_per_second)
{
  camera->core = LIBRARY.context_connect_fd(camera->context, descriptor, NULL, 0);
  if (!camera->core) return errno;
  // Before the stream's own, so that the stream's end is known to be the server's.
  pw_core_add_listener(camera->core, &camera->core_listener, &core_events, camera);
  // The properties by which the desktop's portal recognizes a camera.
  char process[16];
  snprintf(process, sizeof process, "%d", (int)getpid());
  const struct spa_dict_item items[] = {
    {PW_KEY_MEDIA_CLASS, "Video/Source"}, {PW_KEY_MEDIA_ROLE, "Camera"}, {PW_KEY_NODE_NAME, name},
    {PW_KEY_NODE_DESCRIPTION, title},     {PW_KEY_NODE_NICK, title},     {PW_KEY_NODE_VIRTUAL, "true"},
    {PW_KEY_APP_PROCESS_ID, process}};
  const struct spa_dict properties = SPA_DICT_INIT_ARRAY(items);
  camera->stream = LIBRARY.stream_new(camera->core, title, LIBRARY.properties_new_dict(&properties));
  if (!camera->stream) return errno;
  LIBRARY.stream_add_listener(camera->stream, &camera->listener, &events, camera);
  uint8_t memory[4096];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  const struct spa_pod *formats[MOST_SIZES];
  uint32_t count = size_count < MOST_SIZES ? size_count : MOST_SIZES;
  // One format for each size: browsers read no lists or ranges of sizes.
  for (uint32_t index = 0; index < count; index++)
    formats[index] = spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat,
      SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video),
      SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw),
      SPA_FORMAT_VIDEO_format, SPA_POD_Id(SPA_VIDEO_FORMAT_NV12),
      SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&SPA_RECTANGLE(sizes[index].width, sizes[index].height)),
      SPA_FORMAT_VIDEO_framerate, SPA_POD_Fraction(&SPA_FRACTION(frames_per_second, 1)));
  int result = LIBRARY.stream_connect(
    camera->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY, PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS,
    formats, count);
  return result < 0 ? -result : 0;
}

cam_virtual_camera *cam_virtual_camera_open(
  int descriptor, const char *name, const char *title, const cam_picture_size *sizes, uint32_t size_count,
  uint32_t frames_per_second, cam_virtual_camera_user user, int *error)
{
  bool is_there = cam_pipewire_obstacle() == NULL;
  cam_virtual_camera *camera = is_there ? calloc(1, sizeof *camera) : NULL;
  *error = is_there ? ENOMEM : ELIBACC;
  if (!camera) {
    close(descriptor);
    return NULL;
  }
  camera->user = user;
  camera->loop = LIBRARY.thread_loop_new("virtual-camera", NULL);
  if (camera->loop) camera->context = LIBRARY.context_new(LIBRARY.thread_loop_get_loop(camera->loop), NULL, 0);
  if (camera->context && LIBRARY.thread_loop_start(camera->loop) == 0) {
    LIBRARY.thread_loop_lock(camera->loop);
    *error = offer(camera, descriptor, name, title, sizes, size_count, frames_per_second);
    LIBRARY.thread_loop_unlock(camera->loop);
  } else {
    close(descriptor);
  }
  if (*error == 0) return camera;
  cam_virtual_camera_close(camera);
  return NULL;
}

void cam_virtual_camera_send(cam_virtual_camera *camera, cam_picture_size size) {
  LIBRARY.thread_loop_lock(camera->loop);
  camera->has_new = camera->is_watched && size.width == camera->size.width && size.height == camera->size.height;
  if (camera->has_new) LIBRARY.stream_trigger_process(camera->stream);
  LIBRARY.thread_loop_unlock(camera->loop);
}

void cam_virtual_camera_close(cam_virtual_camera *camera) {
  if (!camera) return;
  if (camera->loop) LIBRARY.thread_loop_stop(camera->loop);
  if (camera->stream) {
    // Its end is not news.
    spa_hook_remove(&camera->listener);
    LIBRARY.stream_destroy(camera->stream);
  }
  if (camera->core) {
    spa_hook_remove(&camera->core_listener);
    LIBRARY.core_disconnect(camera->core);
  }
  if (camera->context) LIBRARY.context_destroy(camera->context);
  if (camera->loop) LIBRARY.thread_loop_destroy(camera->loop);
  free(camera);
}
