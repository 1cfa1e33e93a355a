#ifndef CFFMPEG_SUPPORT_H
#define CFFMPEG_SUPPORT_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/hwcontext.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>

#include "CFFmpeg.h"

struct cam_codec {
  AVCodecContext *context;
  AVFrame *frame;
  // Of a decoder that lends pictures: what the present packet is decoded into.
  AVFrame *lent;
  // Of VAAPI.
  AVBufferRef *device;
  // Of a decoder whose pictures lie in buffers of the hardware.
  bool copies_pictures;
  // Of audio.
  SwrContext *resampler;
  AVAudioFifo *queue;
  int out_rate, out_channels;
  enum AVSampleFormat out_format;
  uint8_t *samples;
  unsigned samples_size;
  int64_t next_time;
  // Moments of audio that were queued for the encoder.
  int64_t made;
  bool is_finished;
};

enum { cam_most_filters = 16 };

struct cam_movie {
  AVFormatContext *context;
  int selected;
  int64_t file_size;
  bool ignores_edits;
  bool is_fragmented;
  // Of live streams: what makes NAL units stand behind start codes.
  AVBSFContext *filters[cam_most_filters];
  void *waiting;
  // Of RTP: what gives its packets.
  AVIOContext *packets;
};

/// How many packets of RTP the library has missed on this thread.
unsigned cam_missed_packets(void);
/// Errors for which FFmpeg has no code: an untrusted certificate, and a failed TLS handshake.
enum { cam_untrusted = FFERRTAG('c', 'e', 'r', 't'), cam_without_tls = FFERRTAG('n', 't', 'l', 's') };
/// FFmpeg's error of an opening, or the one above that this thread's log messages show it to be.
///
/// - is_handshake: Whether the opening ends with the TLS handshake, and asks nothing through it.
int cam_reason_not_open(int error, bool is_handshake);
/// Makes FFmpeg keep its messages for `cam_reason` instead of printing them.
void cam_quiet(void);
/// Forgets messages of this thread.
void cam_forget_messages(void);
/// Writes why something failed: FFmpeg's last message on this thread, or else what the error means.
void cam_reason(int error, char *text, size_t size);
/// FFmpeg's "again" and "end" as this module's.
int cam_status(int error);
/// What colours a context has.
void cam_set_colors(AVCodecContext *context, cam_colors colors);
enum AVSampleFormat cam_sample_format(cam_samples samples);

#endif
