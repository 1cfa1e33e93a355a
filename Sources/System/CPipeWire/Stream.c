#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/magic.h>
#include <spa/param/video/format-utils.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "Functions.h"

enum { MOST_BUFFERS = 64 };

struct slot {
  cam_pipewire_stream *stream;
  uint32_t index;
  bool is_used, is_kept;
  /// NULL once it will not be filled again.
  struct pw_buffer *buffer;
};

struct cam_pipewire_stream {
  cam_pipewire *connection;
  cam_pipewire_consumer consumer;
  struct pw_stream *stream;
  struct spa_hook listener;
  struct pw_proxy *link;
  struct spa_hook link_listener;
  /// The node to link to; PW_ID_ANY where a session manager does.
  uint32_t node;
  uint32_t wanted;
  /// The usual size of a buffer where pictures are coded, of which some sources know none; 0 for pixels.
  uint32_t coded_size;
  struct slot slots[MOST_BUFFERS];
  /// A bit for each buffer that came back on another thread.
  _Atomic uint64_t returned;
  /// How many buffers there are, and how many the source does not have.
  _Atomic uint32_t count, kept;
  struct spa_source *returning;
  bool has_failed;
};

void cam_stream_fail(cam_pipewire_stream *stream, const char *reason) {
  if (stream->has_failed) return;
  stream->has_failed = true;
  stream->consumer.failed(stream->consumer.context, reason);
}

// MARK: Buffers

static void keep(struct slot *slot, bool is_kept) {
  slot->is_kept = is_kept;
  if (is_kept) slot->stream->kept++; else slot->stream->kept--;
}

static void give_back(cam_pipewire_stream *stream, struct slot *slot) {
  keep(slot, false);
  if (slot->buffer) {
    LIBRARY.stream_queue_buffer(stream->stream, slot->buffer);
  } else {
    slot->is_used = false;
  }
}

static void take_returns(cam_pipewire_stream *stream) {
  uint64_t bits = atomic_exchange(&stream->returned, 0);
  for (uint32_t index = 0; index < MOST_BUFFERS; index++) {
    if (bits & (UINT64_C(1) << index) && stream->slots[index].is_kept) give_back(stream, &stream->slots[index]);
  }
}

static void returns_came(void *data, uint64_t count) {
  (void)count;
  take_returns(data);
}

void cam_pipewire_stream_return(cam_pipewire_stream *stream, uint32_t index) {
  atomic_fetch_or(&stream->returned, UINT64_C(1) << index);
  // While the source has more than half of the buffers, the next picture takes it back, without waking the thread.
  if (2 * stream->kept >= stream->count) pw_loop_signal_event(stream->connection->loop, stream->returning);
}

static void buffer_added(void *data, struct pw_buffer *buffer) {
  cam_pipewire_stream *stream = data;
  buffer->user_data = NULL;
  for (uint32_t index = 0; index < MOST_BUFFERS; index++) {
    struct slot *slot = &stream->slots[index];
    if (slot->is_used) continue;
    *slot = (struct slot){.stream = stream, .index = index, .is_used = true, .buffer = buffer};
    stream->count++;
    buffer->user_data = slot;
    struct spa_buffer *parts = buffer->buffer;
    cam_video_memory memory = {0};
    for (uint32_t part = 0; part < parts->n_datas && part < CAM_MOST_BLOCKS; part++) {
      struct spa_data *block = &parts->datas[part];
      bool has_file = (block->type == SPA_DATA_MemFd || block->type == SPA_DATA_DmaBuf) && block->fd >= 0;
      if (!has_file && (block->type != SPA_DATA_MemPtr || !block->data)) break;
      memory.blocks[part] = (cam_video_block){
        .descriptor = has_file ? (int)block->fd : -1,
        .offset = has_file ? block->mapoffset : 0,
        .size = block->maxsize,
        .is_dma = block->type == SPA_DATA_DmaBuf,
        .bytes = has_file ? NULL : block->data};
      memory.count++;
    }
    stream->consumer.memory(stream->consumer.context, index, &memory);
    return;
  }
}

static void buffer_removed(void *data, struct pw_buffer *buffer) {
  cam_pipewire_stream *stream = data;
  struct slot *slot = buffer->user_data;
  if (!slot) return;
  slot->buffer = NULL;
  slot->is_used = slot->is_kept;
  stream->count--;
  stream->consumer.forgotten(stream->consumer.context, slot->index);
}

static void process(void *data) {
  cam_pipewire_stream *stream = data;
  struct pw_buffer *buffer;
  while ((buffer = LIBRARY.stream_dequeue_buffer(stream->stream))) {
    struct slot *slot = buffer->user_data;
    struct spa_buffer *parts = buffer->buffer;
    cam_video_picture picture = {.time = -1};
    uint32_t bytes = 0;
    for (uint32_t part = 0; part < parts->n_datas && part < CAM_MOST_BLOCKS; part++) {
      struct spa_chunk *chunk = parts->datas[part].chunk;
      picture.parts[part].offset = chunk->offset;
      picture.parts[part].size = chunk->size;
      picture.parts[part].stride = chunk->stride;
      if (chunk->flags & SPA_CHUNK_FLAG_CORRUPTED) picture.is_broken = 1;
      bytes += chunk->size;
      picture.count++;
    }
    struct spa_meta_header *header =
      spa_buffer_find_meta_data(parts, SPA_META_Header, sizeof(struct spa_meta_header));
    if (header) {
      picture.time = header->pts > 0 ? header->pts : -1;
      picture.number = header->seq;
      if (header->flags & SPA_META_HEADER_FLAG_CORRUPTED) picture.is_broken = 1;
    }
    bool is_picture = slot && (bytes > 0 || picture.is_broken);
    // Before the call: the buffer may come back on another thread at once.
    if (is_picture) keep(slot, true);
    if (!is_picture || !stream->consumer.picture(stream->consumer.context, slot->index, &picture)) {
      if (is_picture) keep(slot, false);
      LIBRARY.stream_queue_buffer(stream->stream, buffer);
    }
  }
  // Last: what came back before these pictures were counted has woken nobody.
  take_returns(stream);
}

int cam_file_reaches(int descriptor, uint64_t end) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0 || facts.st_size < 0 || (uint64_t)facts.st_size < end) return 0;
  int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) ? 2 : 1;
}

void *cam_map_again(void *address, size_t size) {
  void *mapped = mremap(address, 0, size, MREMAP_MAYMOVE);
  return mapped == MAP_FAILED ? NULL : mapped;
}

int cam_map_copy(void *address, size_t size) {
  void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return errno;
  memcpy(copy, address, size);
  if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, address) != MAP_FAILED) return 0;
  int error = errno;
  munmap(copy, size);
  return error;
}

int cam_is_dma(int descriptor) {
  struct statfs facts;
  return fstatfs(descriptor, &facts) == 0 && facts.f_type == DMA_BUF_MAGIC;
}

void cam_dma_sync(int descriptor, int begins) {
  struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_READ | (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END)};
  ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &sync);
}

// MARK: The stream

static void link_info(void *data, const struct pw_link_info *info) {
  if (info->state == PW_LINK_STATE_ERROR) cam_stream_fail(data, info->error ? info->error : "");
}

static const struct pw_link_events link_events = {PW_VERSION_LINK_EVENTS, .info = link_info};

static void link_itself(cam_pipewire_stream *stream) {
  char output[16], input[16];
  snprintf(output, sizeof output, "%u", stream->node);
  snprintf(input, sizeof input, "%u", LIBRARY.stream_get_node_id(stream->stream));
  const struct spa_dict_item items[] = {
    {PW_KEY_LINK_OUTPUT_NODE, output}, {PW_KEY_LINK_INPUT_NODE, input}};
  const struct spa_dict properties = SPA_DICT_INIT_ARRAY(items);
  stream->link = pw_core_create_object(
    stream->connection->core, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &properties, 0);
  if (stream->link) {
    pw_link_add_listener((struct pw_link *)stream->link, &stream->link_listener, &link_events, stream);
  } else {
    cam_stream_fail(stream, "PipeWire links no streams");
  }
}

static void state_changed(
  void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error)
{
  (void)old;
  cam_pipewire_stream *stream = data;
  if (state == PW_STREAM_STATE_ERROR) cam_stream_fail(stream, error ? error : "");
  if (state == PW_STREAM_STATE_PAUSED && !stream->link && stream->node != PW_ID_ANY) link_itself(stream);
}

static void param_changed(void *data, uint32_t id, const struct spa_pod *param) {
  cam_pipewire_stream *stream = data;
  if (id != SPA_PARAM_Format || !param) return;
  uint8_t memory[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  struct spa_pod_frame frame;
  spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers);
  spa_pod_builder_add(
    &builder, SPA_PARAM_BUFFERS_buffers, SPA_POD_CHOICE_RANGE_Int((int)stream->wanted, 2, MOST_BUFFERS),
    SPA_PARAM_BUFFERS_dataType,
    SPA_POD_CHOICE_FLAGS_Int((1 << SPA_DATA_MemPtr) | (1 << SPA_DATA_MemFd) | (1 << SPA_DATA_DmaBuf)), 0);
  if (stream->coded_size > 0)
    spa_pod_builder_add(
      &builder, SPA_PARAM_BUFFERS_size, SPA_POD_CHOICE_RANGE_Int((int)stream->coded_size, 1, INT32_MAX), 0);
  const struct spa_pod *buffers = spa_pod_builder_pop(&builder, &frame);
  const struct spa_pod *params[] = {
    buffers,
    spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
      SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
      SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_header))),
    // By it PipeWire tells a source which buffers are read.
    spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
      SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Busy),
      SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_busy))),
  };
  LIBRARY.stream_update_params(stream->stream, params, 3);
}

static const struct pw_stream_events events = {
  PW_VERSION_STREAM_EVENTS,
  .state_changed = state_changed,
  .param_changed = param_changed,
  .add_buffer = buffer_added,
  .remove_buffer = buffer_removed,
  .process = process,
};

static const struct spa_pod *format_param(struct spa_pod_builder *builder, const cam_video_format *format) {
  struct spa_pod_frame frame;
  spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat);
  spa_pod_builder_add(
    builder, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
    SPA_POD_Id(cam_encoding_subtype(format->encoding)), 0);
  uint32_t pixels;
  if (cam_encoding_pixels(format->encoding, &pixels))
    spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_format, SPA_POD_Id(pixels), 0);
  spa_pod_builder_add(
    builder, SPA_FORMAT_VIDEO_size,
    SPA_POD_Rectangle(&SPA_RECTANGLE(format->size.width, format->size.height)), 0);
  if (format->rate_count > 0)
    spa_pod_builder_add(
      builder, SPA_FORMAT_VIDEO_framerate,
      SPA_POD_Fraction(&SPA_FRACTION(format->rates[0].numerator, format->rates[0].denominator)), 0);
  return spa_pod_builder_pop(builder, &frame);
}

static int begin(cam_pipewire_stream *stream, const char *serial, const cam_video_format *format) {
  struct spa_dict_item items[] = {
    {PW_KEY_MEDIA_TYPE, "Video"},
    {PW_KEY_MEDIA_CATEGORY, "Capture"},
    {PW_KEY_MEDIA_ROLE, "Camera"},
    {PW_KEY_NODE_DONT_RECONNECT, "true"},
    {PW_KEY_TARGET_OBJECT, serial ? serial : ""}};
  const struct spa_dict properties = SPA_DICT_INIT(items, serial ? 5 : 4);
  stream->stream = LIBRARY.stream_new(
    stream->connection->core, "Obscura", LIBRARY.properties_new_dict(&properties));
  if (!stream->stream) return errno != 0 ? errno : ENOMEM;
  LIBRARY.stream_add_listener(stream->stream, &stream->listener, &events, stream);
  uint8_t memory[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  const struct spa_pod *params[] = {format_param(&builder, format)};
  enum pw_stream_flags flags =
    serial ? PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_DONT_RECONNECT : PW_STREAM_FLAG_NONE;
  int result = LIBRARY.stream_connect(stream->stream, PW_DIRECTION_INPUT, PW_ID_ANY, flags, params, 1);
  return result < 0 ? -result : 0;
}

cam_pipewire_stream *cam_pipewire_stream_open(
  cam_pipewire *connection, const char *serial, uint32_t node, const cam_video_format *format, uint32_t buffers,
  cam_pipewire_consumer consumer, int *error)
{
  *error = ENOMEM;
  cam_pipewire_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  stream->connection = connection;
  stream->consumer = consumer;
  stream->node = serial ? PW_ID_ANY : node;
  stream->wanted = buffers < 2 ? 2 : buffers > MOST_BUFFERS ? MOST_BUFFERS : buffers;
  uint32_t pixels;
  // No picture that is coded is as large as one of a byte for each pixel, but for the smallest.
  if (!cam_encoding_pixels(format->encoding, &pixels))
    stream->coded_size = format->size.width * format->size.height + 65536;
  stream->returning = pw_loop_add_event(connection->loop, returns_came, stream);
  connection->stream = stream;
  if (stream->returning) *error = begin(stream, serial, format);
  if (*error == 0) return stream;
  cam_pipewire_stream_close(stream);
  return NULL;
}

void cam_pipewire_stream_close(cam_pipewire_stream *stream) {
  stream->connection->stream = NULL;
  // Its end is not news.
  stream->has_failed = true;
  if (stream->link) {
    spa_hook_remove(&stream->link_listener);
    LIBRARY.proxy_destroy(stream->link);
  }
  if (stream->stream) {
    spa_hook_remove(&stream->listener);
    LIBRARY.stream_destroy(stream->stream);
  }
  if (stream->returning) pw_loop_destroy_source(stream->connection->loop, stream->returning);
  free(stream);
}
