#include "Support.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_message[256];
static _Thread_local unsigned missed_packets;
static _Thread_local bool doubts_certificate;
static _Thread_local bool fails_in_tls;
static pthread_once_t quiet_once = PTHREAD_ONCE_INIT;

static bool is_of_tls(void *context) {
  const AVClass *class = context == NULL ? NULL : *(const AVClass **)context;
  return class != NULL && class->item_name != NULL && strcmp(class->item_name(context), "tls") == 0;
}

// The first message is the cause; those that follow are its consequences.
static void keep_message(void *context, int level, const char *format, va_list arguments) {
  // The only word of a loss: what is made of the packets beside it says nothing.
  if (level == AV_LOG_WARNING && strncmp(format, "RTP: missed", 11) == 0) missed_packets++;
  if (level > AV_LOG_ERROR) return;
  char message[sizeof last_message];
  vsnprintf(message, sizeof message, format, arguments);
  // The error's number says that there is no way to the machine.
  if (strstr(message, "certificate") != NULL) doubts_certificate = true;
  if (is_of_tls(context)) fails_in_tls = true;
  if (last_message[0] != 0) return;
  memcpy(last_message, message, sizeof message);
  size_t length = strlen(last_message);
  while (length > 0 && (last_message[length - 1] == '\n' || last_message[length - 1] == '.')) length--;
  last_message[length] = 0;
}

static void begin_quiet(void) { av_log_set_callback(keep_message); }

void cam_quiet(void) { pthread_once(&quiet_once, begin_quiet); }

unsigned cam_missed_packets(void) { return missed_packets; }

int cam_reason_not_open(int error, bool is_handshake) {
  if (error == AVERROR_EXIT) return error;
  if (doubts_certificate) return cam_untrusted;
  // After a handshake these two may be of what speaks through TLS.
  bool is_closed = is_handshake && (error == AVERROR_EOF || error == AVERROR(ECONNRESET));
  return fails_in_tls && (error == AVERROR(EIO) || is_closed) ? cam_without_tls : error;
}

void cam_forget_messages(void) {
  last_message[0] = 0;
  doubts_certificate = false;
  fails_in_tls = false;
}

void cam_reason(int error, char *text, size_t size) {
  if (size == 0) return;
  if (last_message[0] != 0) {
    snprintf(text, size, "%s", last_message);
  } else {
    av_strerror(error, text, size);
  }
}

void cam_describe(int error, char *text, size_t size) {
  if (error == AVERROR_INVALIDDATA) {
    snprintf(text, size, "its bytes are damaged, or those of another kind of file");
  } else {
    av_strerror(error, text, size);
  }
}

const char *cam_version(void) { return av_version_info(); }

int cam_status(int error) {
  if (error == AVERROR(EAGAIN)) return cam_again;
  if (error == AVERROR_EOF) return cam_end;
  return error < 0 ? error : 0;
}

void cam_set_colors(AVCodecContext *context, cam_colors colors) {
  context->color_primaries = colors.primaries;
  context->color_trc = colors.transfer;
  context->colorspace = colors.matrix;
  context->color_range = colors.is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

enum AVSampleFormat cam_sample_format(cam_samples samples) {
  switch (samples) {
    case cam_samples_u8: return AV_SAMPLE_FMT_U8;
    case cam_samples_s16: return AV_SAMPLE_FMT_S16;
    case cam_samples_s32: return AV_SAMPLE_FMT_S32;
    case cam_samples_float: return AV_SAMPLE_FMT_FLT;
    case cam_samples_double: return AV_SAMPLE_FMT_DBL;
  }
  return AV_SAMPLE_FMT_NONE;
}

static int64_t time_or_none(int64_t time) { return time == AV_NOPTS_VALUE ? cam_no_time : time; }

cam_packet_facts cam_packet_look(const cam_packet *opaque) {
  const AVPacket *packet = (const AVPacket *)opaque;
  cam_packet_facts facts = {
      .stream = packet->stream_index,
      .data = packet->data,
      .size = packet->size > 0 ? (size_t)packet->size : 0,
      .presentation = time_or_none(packet->pts),
      .decoding = time_or_none(packet->dts),
      .duration = packet->duration,
      .is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0,
      .is_discarded = (packet->flags & AV_PKT_FLAG_DISCARD) != 0,
      .quantizer = -1,
  };
  size_t size = 0;
  const uint8_t *quality = av_packet_get_side_data(packet, AV_PKT_DATA_QUALITY_STATS, &size);
  if (quality != NULL && size >= 4) facts.quantizer = (double)AV_RL32(quality) / FF_QP2LAMBDA;
  const uint8_t *skip = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (skip != NULL && size >= 10) {
    for (int byte = 3; byte >= 0; byte--) {
      facts.skip_start = facts.skip_start << 8 | skip[byte];
      facts.skip_end = facts.skip_end << 8 | skip[4 + byte];
    }
  }
  return facts;
}

void cam_packet_free(cam_packet *opaque) {
  AVPacket *packet = (AVPacket *)opaque;
  av_packet_free(&packet);
}

void cam_codec_close(cam_codec *codec) {
  if (codec == NULL) return;
  avcodec_free_context(&codec->context);
  av_frame_free(&codec->frame);
  av_frame_free(&codec->lent);
  av_buffer_unref(&codec->device);
  swr_free(&codec->resampler);
  if (codec->queue != NULL) av_audio_fifo_free(codec->queue);
  av_freep(&codec->samples);
  av_free(codec);
}
