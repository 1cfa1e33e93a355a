#include <stdio.h>
#include <string.h>

#include "Support.h"

static cam_codec *begin(const cam_decoder_settings *settings, const AVCodec **decoder, char *reason,
                        size_t reason_size) {
  cam_quiet();
  cam_forget_messages();
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get_by_name(settings->codec);
  *decoder = descriptor == NULL ? NULL : avcodec_find_decoder(descriptor->id);
  if (*decoder == NULL) {
    snprintf(reason, reason_size, "FFmpeg is built without a decoder of %s", settings->codec);
    return NULL;
  }
  cam_codec *codec = av_mallocz(sizeof *codec);
  if (codec == NULL) return NULL;
  codec->context = avcodec_alloc_context3(*decoder);
  codec->frame = av_frame_alloc();
  if (codec->context == NULL || codec->frame == NULL) {
    cam_codec_close(codec);
    return NULL;
  }
  AVCodecContext *context = codec->context;
  if (settings->extradata_size > 0) {
    context->extradata = av_mallocz(settings->extradata_size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (context->extradata != NULL) {
      memcpy(context->extradata, settings->extradata, settings->extradata_size);
      context->extradata_size = (int)settings->extradata_size;
    }
  }
  context->codec_tag = settings->tag;
  context->pkt_timebase = (AVRational){1, settings->timescale};
  context->thread_count = settings->threads;
  return codec;
}

static cam_codec *finish(cam_codec *codec, int error, char *reason, size_t reason_size) {
  if (error >= 0) return codec;
  cam_reason(error, reason, reason_size);
  cam_codec_close(codec);
  return NULL;
}

cam_codec *cam_decoder_open_video(const cam_decoder_settings *settings, char *reason, size_t reason_size) {
  const AVCodec *decoder = NULL;
  cam_codec *codec = begin(settings, &decoder, reason, reason_size);
  if (codec == NULL) return NULL;
  codec->context->width = settings->width;
  codec->context->height = settings->height;
  return finish(codec, avcodec_open2(codec->context, decoder, NULL), reason, reason_size);
}

cam_codec *cam_decoder_open_audio(const cam_decoder_settings *settings, cam_samples samples, int rate, int channels,
                                  char *reason, size_t reason_size) {
  const AVCodec *decoder = NULL;
  cam_codec *codec = begin(settings, &decoder, reason, reason_size);
  if (codec == NULL) return NULL;
  AVCodecContext *context = codec->context;
  context->sample_rate = settings->rate;
  av_channel_layout_default(&context->ch_layout, settings->channels);
  context->bits_per_coded_sample = settings->bits;
  context->block_align = settings->block_align;
  codec->out_format = cam_sample_format(samples);
  codec->out_rate = rate;
  codec->out_channels = channels;
  return finish(codec, avcodec_open2(context, decoder, NULL), reason, reason_size);
}

static int64_t known(int64_t time) { return time == cam_no_time ? AV_NOPTS_VALUE : time; }

static void put_32(uint8_t *place, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) place[byte] = (uint8_t)(value >> 8 * byte);
}

int cam_decoder_send(cam_codec *codec, const void *data, size_t size, int64_t presentation, int64_t decoding,
                     int64_t duration, bool is_key, uint32_t skip_start, uint32_t skip_end) {
  if (data == NULL) return cam_status(avcodec_send_packet(codec->context, NULL));
  if (size > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR(EINVAL);
  AVPacket *packet = av_packet_alloc();
  if (packet == NULL) return AVERROR(ENOMEM);
  int error = av_new_packet(packet, (int)size);
  if (error >= 0) {
    memcpy(packet->data, data, size);
    packet->pts = known(presentation);
    packet->dts = known(decoding);
    packet->duration = duration;
    if (is_key) packet->flags |= AV_PKT_FLAG_KEY;
    if (skip_start > 0 || skip_end > 0) {
      uint8_t *skip = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10);
      if (skip != NULL) {
        memset(skip, 0, 10);
        put_32(skip, skip_start);
        put_32(skip + 4, skip_end);
      }
    }
    error = avcodec_send_packet(codec->context, packet);
  }
  av_packet_free(&packet);
  return cam_status(error);
}

int cam_decoder_receive_picture(cam_codec *codec, cam_frame **result) {
  *result = NULL;
  AVFrame *frame = av_frame_alloc();
  if (frame == NULL) return AVERROR(ENOMEM);
  int error = avcodec_receive_frame(codec->context, frame);
  if (error < 0) {
    av_frame_free(&frame);
    return cam_status(error);
  }
  *result = (cam_frame *)frame;
  return 0;
}

/// The resampler from what the decoder makes to what was asked for; the decoder may know its format only now.
static int prepare_resampler(cam_codec *codec, const AVFrame *frame) {
  if (codec->resampler != NULL) return 0;
  AVChannelLayout target, source;
  av_channel_layout_default(&target, codec->out_channels);
  if (frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&source, frame->ch_layout.nb_channels);
  } else {
    source = frame->ch_layout;
  }
  int error = swr_alloc_set_opts2(&codec->resampler, &target, codec->out_format, codec->out_rate, &source,
                                  frame->format, frame->sample_rate, 0, NULL);
  if (error < 0) return error;
  // Else channels that are mixed become too loud where samples are floating-point numbers.
  av_opt_set_double(codec->resampler, "rematrix_maxval", 1.0, 0);
  return swr_init(codec->resampler);
}

static int give_audio(cam_codec *codec, const uint8_t **input, int count, const uint8_t **samples, int *frames) {
  int room = swr_get_out_samples(codec->resampler, count);
  if (room < 0) return room;
  size_t bytes = (size_t)room * (size_t)codec->out_channels * (size_t)av_get_bytes_per_sample(codec->out_format);
  av_fast_malloc(&codec->samples, &codec->samples_size, bytes + 64);
  if (codec->samples == NULL) return AVERROR(ENOMEM);
  int made = swr_convert(codec->resampler, &codec->samples, room, input, count);
  if (made < 0) return made;
  *samples = codec->samples;
  *frames = made;
  return 0;
}

int cam_decoder_receive_audio(cam_codec *codec, const uint8_t **samples, int *frames, int64_t *presentation) {
  *frames = 0;
  *presentation = cam_no_time;
  int error = avcodec_receive_frame(codec->context, codec->frame);
  if (error == AVERROR_EOF && codec->resampler != NULL && !codec->is_finished) {
    codec->is_finished = true;
    error = give_audio(codec, NULL, 0, samples, frames);
    return error < 0 ? error : *frames > 0 ? 0 : cam_end;
  }
  if (error < 0) return cam_status(error);
  if (codec->frame->pts != AV_NOPTS_VALUE) *presentation = codec->frame->pts;
  error = prepare_resampler(codec, codec->frame);
  if (error >= 0) {
    error = give_audio(codec, (const uint8_t **)codec->frame->extended_data, codec->frame->nb_samples, samples,
                       frames);
  }
  av_frame_unref(codec->frame);
  return error < 0 ? error : 0;
}

void cam_decoder_flush(cam_codec *codec) {
  avcodec_flush_buffers(codec->context);
  swr_free(&codec->resampler);
  codec->is_finished = false;
}

// MARK: - Pictures

static bool is_planar(const AVPixFmtDescriptor *descriptor) {
  return descriptor != NULL && (descriptor->flags & AV_PIX_FMT_FLAG_PLANAR) != 0 &&
         (descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_HWACCEL)) == 0 &&
         descriptor->nb_components >= 3 && descriptor->comp[1].plane == 1 && descriptor->comp[2].plane == 2 &&
         descriptor->comp[0].depth >= 8 && descriptor->comp[0].depth <= 16 && descriptor->log2_chroma_w <= 1 &&
         descriptor->log2_chroma_h <= 1;
}

cam_frame_facts cam_frame_look(const cam_frame *opaque) {
  const AVFrame *frame = (const AVFrame *)opaque;
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  cam_frame_facts facts = {
      .picture = {.width = frame->width, .height = frame->height},
      .presentation = frame->best_effort_timestamp == AV_NOPTS_VALUE ? cam_no_time : frame->best_effort_timestamp,
      .duration = frame->pkt_duration,
      .colors = {.primaries = frame->color_primaries,
                 .transfer = frame->color_trc,
                 .matrix = frame->colorspace,
                 .is_full_range = frame->color_range == AVCOL_RANGE_JPEG},
      .aspect_width = frame->sample_aspect_ratio.num,
      .aspect_height = frame->sample_aspect_ratio.den,
      .depth = descriptor == NULL ? 0 : descriptor->comp[0].depth,
      .can_be_biplanar = is_planar(descriptor),
  };
  for (int plane = 0; plane < 3; plane++) {
    facts.picture.planes[plane] = frame->data[plane];
    facts.picture.strides[plane] = frame->linesize[plane];
  }
  switch (frame->format) {
    case AV_PIX_FMT_YUVJ420P: facts.colors.is_full_range = true;  // fall through
    case AV_PIX_FMT_YUV420P: facts.picture.pixels = cam_pixels_yuv420; break;
    case AV_PIX_FMT_NV12: facts.picture.pixels = cam_pixels_nv12; break;
    case AV_PIX_FMT_P010LE: facts.picture.pixels = cam_pixels_p010; break;
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P: facts.colors.is_full_range = true; break;
    default: break;
  }
  return facts;
}

void cam_frame_free(cam_frame *opaque) {
  AVFrame *frame = (AVFrame *)opaque;
  av_frame_free(&frame);
}

static inline unsigned sample_at(const uint8_t *row, int column, bool is_wide) {
  return is_wide ? ((const uint16_t *)row)[column] : row[column];
}

static inline void put_sample(uint8_t *row, int column, unsigned value, int depth, bool is_deep) {
  if (is_deep) {
    ((uint16_t *)row)[column] = (uint16_t)(value << (16 - depth));
  } else {
    row[column] = (uint8_t)(value >> (depth - 8));
  }
}

void cam_frame_write_biplanar(const cam_frame *opaque, uint8_t *luma, int luma_stride, uint8_t *chroma,
                              int chroma_stride, bool is_deep) {
  const AVFrame *frame = (const AVFrame *)opaque;
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  if (!is_planar(descriptor)) return;
  const int depth = descriptor->comp[0].depth;
  const bool is_wide = depth > 8;
  for (int y = 0; y < frame->height; y++) {
    const uint8_t *source = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
    uint8_t *target = luma + (ptrdiff_t)y * luma_stride;
    if (!is_wide && !is_deep) {
      memcpy(target, source, (size_t)frame->width);
    } else {
      for (int x = 0; x < frame->width; x++) put_sample(target, x, sample_at(source, x, is_wide), depth, is_deep);
    }
  }
  const int across = descriptor->log2_chroma_w == 0 ? 2 : 1, down = descriptor->log2_chroma_h == 0 ? 2 : 1;
  const int columns = AV_CEIL_RSHIFT(frame->width, descriptor->log2_chroma_w);
  const int rows = AV_CEIL_RSHIFT(frame->height, descriptor->log2_chroma_h);
  for (int y = 0; y < (frame->height + 1) / 2; y++) {
    uint8_t *target = chroma + (ptrdiff_t)y * chroma_stride;
    for (int x = 0; x < (frame->width + 1) / 2; x++) {
      for (int channel = 0; channel < 2; channel++) {
        unsigned sum = 0;
        for (int j = 0; j < down; j++) {
          const uint8_t *row = frame->data[1 + channel] +
                               (ptrdiff_t)FFMIN(y * down + j, rows - 1) * frame->linesize[1 + channel];
          for (int i = 0; i < across; i++) sum += sample_at(row, FFMIN(x * across + i, columns - 1), is_wide);
        }
        unsigned count = (unsigned)(across * down);
        put_sample(target, 2 * x + channel, (sum + count / 2) / count, depth, is_deep);
      }
    }
  }
}
