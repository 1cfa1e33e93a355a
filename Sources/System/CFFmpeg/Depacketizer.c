#include <string.h>

#include "Support.h"

enum {
  text_room = 4096,
  packet_room = 2048,
  header_bytes = 12,
  // More than any picture has, of a stream whose pictures never end.
  most_unit_bytes = 64 << 20,
};

struct cam_rtp {
  cam_movie *movie;
  AVPacket *fragment;
  // H.264 and HEVC: what is joined to whole access units; otherwise fragments are given as they are made.
  enum AVCodecID codec;
  bool joins;
  int payload_type;
  AVPacket *unit;
  int former_size;
  bool has_slice, is_broken;
  // Of the packet that was taken last.
  const uint8_t *taken;
  int taken_size;
  uint32_t time;
  bool is_media, is_marked, has_own_slice, is_cut, is_after_loss, has_made;
  // Until a slice comes of a picture that a marker had ended.
  bool trusts_markers;
  uint8_t report[packet_room];
  size_t report_size;
};

// MARK: - Bytes for the library

static int read_text(void *opaque, uint8_t *bytes, int room) {
  const char **text = opaque;
  size_t size = strlen(*text);
  if (size == 0) return AVERROR_EOF;
  if (size > (size_t)room) size = (size_t)room;
  memcpy(bytes, *text, size);
  *text += size;
  return (int)size;
}

/// Makes a context that gives packets, one for each read, as the library takes them of one that can be written to.
static AVIOContext *open_packets(void *opaque, int (*read)(void *, uint8_t *, int), int (*write)(void *, uint8_t *, int)) {
  uint8_t *buffer = av_malloc(packet_room);
  AVIOContext *packets = buffer == NULL ? NULL : avio_alloc_context(buffer, packet_room, 1, opaque, read, write, NULL);
  if (packets == NULL) av_free(buffer);
  return packets;
}

static void close_bytes(AVIOContext **context) {
  if (*context == NULL) return;
  av_freep(&(*context)->buffer);
  avio_context_free(context);
}

/// Opens a description; packets are then read of `packets`, which the movie keeps in any case.
static cam_movie *open_description(const char *description, AVIOContext *packets, int *error) {
  cam_quiet();
  cam_forget_messages();
  cam_movie *movie = av_mallocz(sizeof *movie);
  uint8_t *buffer = av_malloc(text_room);
  AVIOContext *text = buffer == NULL ? NULL : avio_alloc_context(buffer, text_room, 0, &description, read_text, NULL, NULL);
  if (text == NULL) av_free(buffer);
  if (movie != NULL) movie->context = avformat_alloc_context();
  AVDictionary *options = NULL;
  av_dict_set(&options, "sdp_flags", "custom_io", 0);
  // They come in order.
  av_dict_set(&options, "reorder_queue_size", "0", 0);
  av_dict_set(&options, "fpsprobesize", "0", 0);
  if (movie == NULL || text == NULL || movie->context == NULL || packets == NULL) {
    *error = AVERROR(ENOMEM);
  } else {
    movie->selected = -1;
    movie->context->pb = text;
    // It frees the context when it fails.
    *error = avformat_open_input(&movie->context, "", av_find_input_format("sdp"), &options);
  }
  av_dict_free(&options);
  close_bytes(&text);
  if (movie == NULL) {
    close_bytes(&packets);
    return NULL;
  }
  movie->packets = packets;
  if (*error >= 0) {
    movie->context->pb = packets;
    return movie;
  }
  cam_movie_close(movie);
  return NULL;
}

// MARK: - Facts

struct record {
  const uint8_t *bytes;
  const uint16_t *sizes;
  int left;
};

static int read_record(void *opaque, uint8_t *bytes, int room) {
  struct record *record = opaque;
  if (record->left == 0) return AVERROR_EOF;
  int size = *record->sizes++;
  record->left--;
  const uint8_t *packet = record->bytes;
  record->bytes += size;
  if (size > room) return AVERROR(EINVAL);
  memcpy(bytes, packet, (size_t)size);
  return size;
}

static int leave_report(void *opaque, uint8_t *bytes, int size) {
  (void)opaque;
  (void)bytes;
  return size;
}

cam_movie *cam_rtp_look(const char *description, const uint8_t *bytes, const uint16_t *sizes, int count, int *error) {
  struct record record = {bytes, sizes, count};
  cam_movie *movie = open_description(description, open_packets(&record, read_record, leave_report), error);
  if (movie == NULL) return NULL;
  *error = avformat_find_stream_info(movie->context, NULL);
  if (*error >= 0) {
    *error = 0;
    return movie;
  }
  cam_movie_close(movie);
  return NULL;
}

// MARK: - Packets

static int give_taken(void *opaque, uint8_t *bytes, int room) {
  cam_rtp *rtp = opaque;
  if (rtp->taken == NULL) return AVERROR(EAGAIN);
  const uint8_t *packet = rtp->taken;
  rtp->taken = NULL;
  if (rtp->taken_size > room) return AVERROR(EAGAIN);
  memcpy(bytes, packet, (size_t)rtp->taken_size);
  return rtp->taken_size;
}

static int keep_report(void *opaque, uint8_t *bytes, int size) {
  cam_rtp *rtp = opaque;
  // One that was not fetched is old.
  rtp->report_size = (size_t)FFMIN(size, packet_room);
  memcpy(rtp->report, bytes, rtp->report_size);
  return size;
}

cam_rtp *cam_rtp_open(const char *description, int payload_type, int *error) {
  cam_rtp *rtp = av_mallocz(sizeof *rtp);
  if (rtp == NULL) {
    *error = AVERROR(ENOMEM);
    return NULL;
  }
  rtp->payload_type = payload_type;
  rtp->trusts_markers = true;
  rtp->fragment = av_packet_alloc();
  rtp->unit = av_packet_alloc();
  *error = rtp->fragment == NULL || rtp->unit == NULL ? AVERROR(ENOMEM) : 0;
  if (*error >= 0) rtp->movie = open_description(description, open_packets(rtp, give_taken, keep_report), error);
  if (*error < 0) {
    cam_rtp_close(rtp);
    return NULL;
  }
  AVFormatContext *context = rtp->movie->context;
  if (context->nb_streams == 1) rtp->codec = context->streams[0]->codecpar->codec_id;
  rtp->joins = rtp->codec == AV_CODEC_ID_H264 || rtp->codec == AV_CODEC_ID_HEVC;
  // The library's parser knows that a picture is over when the next one begins.
  if (rtp->joins) context->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
  *error = 0;
  return rtp;
}

void cam_rtp_close(cam_rtp *rtp) {
  if (rtp == NULL) return;
  cam_movie_close(rtp->movie);
  av_packet_free(&rtp->fragment);
  av_packet_free(&rtp->unit);
  av_free(rtp);
}

const uint8_t *cam_rtp_report(cam_rtp *rtp, size_t *size) {
  *size = rtp->report_size;
  rtp->report_size = 0;
  return *size == 0 ? NULL : rtp->report;
}

void cam_rtp_take(cam_rtp *rtp, const uint8_t *packet, size_t size, bool is_after_loss) {
  rtp->taken = packet;
  rtp->taken_size = (int)FFMIN(size, UINT16_MAX);
  rtp->is_media = rtp->is_marked = rtp->has_own_slice = rtp->is_cut = rtp->has_made = false;
  // Until the media show it.
  if (is_after_loss) rtp->is_after_loss = true;
  if (!rtp->joins) return;
  cam_rtp_part part = cam_rtp_part_of(packet, size, rtp->payload_type, rtp->codec == AV_CODEC_ID_HEVC);
  if (part.begin == cam_rtp_begin_none) return;
  rtp->is_media = true;
  rtp->is_marked = part.is_marked;
  rtp->has_own_slice = part.has_slice;
  bool is_other_time = part.time != rtp->time;
  rtp->time = part.time;
  if (rtp->is_after_loss) rtp->is_broken = true;
  if (rtp->unit->size > 0) {
    // What comes before a picture may have another time.
    rtp->is_cut = rtp->has_slice && (is_other_time || part.begin == cam_rtp_begin_unit);
  } else if (!is_other_time && part.begin == cam_rtp_begin_inside && part.has_slice && rtp->trusts_markers &&
             rtp->former_size > 0) {
    // The rest of a picture that a marker had ended.
    rtp->trusts_markers = false;
    rtp->is_broken = true;
  }
}

/// Puts the fragment at the end of the unit.
static int join(cam_rtp *rtp) {
  AVPacket *unit = rtp->unit, *fragment = rtp->fragment;
  if (unit->size == 0) {
    av_packet_unref(unit);
    av_packet_move_ref(unit, fragment);
    return 0;
  }
  int size = unit->size, more = fragment->size;
  if (more > most_unit_bytes - size) {
    av_packet_unref(unit);
    av_packet_unref(fragment);
    rtp->is_broken = true;
    return 0;
  }
  // Of a picture that is shown when its first slice was taken.
  if (!rtp->has_slice && unit->pts != fragment->pts) {
    av_packet_free_side_data(unit);
    int error = av_packet_copy_props(unit, fragment);
    if (error < 0) return error;
  }
  if ((size_t)(size + more) + AV_INPUT_BUFFER_PADDING_SIZE > unit->buf->size) {
    int room = FFMAX(2 * (size + more), rtp->former_size + rtp->former_size / 4);
    int error = av_grow_packet(unit, room - size);
    if (error < 0) return error;
    av_shrink_packet(unit, size);
  }
  int error = av_grow_packet(unit, more);
  if (error < 0) return error;
  memcpy(unit->data + size, fragment->data, (size_t)more);
  av_packet_unref(fragment);
  return 0;
}

/// Gives the unit away.
static int give(cam_rtp *rtp, cam_packet **result, bool *is_broken) {
  AVPacket *next = av_packet_alloc();
  if (next == NULL) return AVERROR(ENOMEM);
  rtp->former_size = rtp->unit->size;
  *result = (cam_packet *)rtp->unit;
  *is_broken = rtp->is_broken;
  rtp->unit = next;
  rtp->has_slice = rtp->is_broken = false;
  return 0;
}

int cam_rtp_next(cam_rtp *rtp, cam_packet **result, bool *is_broken) {
  *result = NULL;
  *is_broken = false;
  if (rtp->is_cut) {
    rtp->is_cut = false;
    int error = give(rtp, result, is_broken);
    rtp->is_broken = rtp->is_after_loss;
    return error;
  }
  while (true) {
    int error = av_read_frame(rtp->movie->context, rtp->fragment);
    if (error == AVERROR(EAGAIN)) break;
    if (error < 0) return cam_status(error);
    rtp->has_made = true;
    if (!rtp->joins) {
      AVPacket *next = av_packet_alloc();
      if (next == NULL) return AVERROR(ENOMEM);
      *is_broken = (rtp->fragment->flags & AV_PKT_FLAG_CORRUPT) != 0 || rtp->is_after_loss;
      rtp->is_after_loss = false;
      *result = (cam_packet *)rtp->fragment;
      rtp->fragment = next;
      return 0;
    }
    error = join(rtp);
    if (error < 0) return error;
    if (rtp->has_own_slice) rtp->has_slice = true;
  }
  if (!rtp->is_media) return cam_again;
  rtp->is_media = rtp->is_after_loss = false;
  // What the library makes nothing of is lost.
  if (!rtp->has_made) rtp->is_broken = true;
  if (!rtp->is_marked || !rtp->trusts_markers || !rtp->has_slice || rtp->unit->size == 0) return cam_again;
  return give(rtp, result, is_broken);
}
