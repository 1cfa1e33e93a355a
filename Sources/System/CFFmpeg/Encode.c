#include <stdio.h>

#include "Support.h"

static enum AVPixelFormat pixel_format(cam_pixels pixels) {
  switch (pixels) {
    case cam_pixels_nv12: return AV_PIX_FMT_NV12;
    case cam_pixels_yuv420: return AV_PIX_FMT_YUV420P;
    case cam_pixels_p010: return AV_PIX_FMT_P010LE;
    case cam_pixels_yuv422_10: return AV_PIX_FMT_YUV422P10LE;
    default: return AV_PIX_FMT_NONE;
  }
}

static int prepare_vaapi(cam_codec *codec, const cam_video_settings *settings) {
  int error = av_hwdevice_ctx_create(&codec->device, AV_HWDEVICE_TYPE_VAAPI, NULL, NULL, 0);
  if (error < 0) return error;
  AVBufferRef *reference = av_hwframe_ctx_alloc(codec->device);
  if (reference == NULL) return AVERROR(ENOMEM);
  AVHWFramesContext *frames = (AVHWFramesContext *)reference->data;
  frames->format = AV_PIX_FMT_VAAPI;
  frames->sw_format = pixel_format(settings->pixels);
  frames->width = settings->width;
  frames->height = settings->height;
  frames->initial_pool_size = 20;
  error = av_hwframe_ctx_init(reference);
  if (error < 0) {
    av_buffer_unref(&reference);
    return error;
  }
  codec->context->hw_frames_ctx = reference;
  codec->context->pix_fmt = AV_PIX_FMT_VAAPI;
  return 0;
}

static int open_video(cam_codec *codec, const AVCodec *encoder, const cam_video_settings *settings) {
  AVCodecContext *context = codec->context;
  context->width = settings->width;
  context->height = settings->height;
  context->pix_fmt = pixel_format(settings->pixels);
  context->time_base = (AVRational){1, settings->timescale};
  if (settings->frame_rate > 0) context->framerate = av_d2q(settings->frame_rate, 1001000);
  if (settings->bit_rate > 0) context->bit_rate = settings->bit_rate;
  context->rc_max_rate = settings->highest_rate;
  context->rc_buffer_size = (int)FFMIN(settings->rate_window, INT32_MAX);
  if (settings->key_interval > 0) context->gop_size = settings->key_interval;
  context->max_b_frames = settings->reordered;
  context->profile = settings->profile;
  context->level = settings->level;
  if (settings->global_quality > 0) {
    context->flags |= AV_CODEC_FLAG_QSCALE;
    context->global_quality = settings->global_quality;
  }
  if (settings->aspect_width > 0 && settings->aspect_height > 0) {
    context->sample_aspect_ratio = (AVRational){settings->aspect_width, settings->aspect_height};
  }
  cam_set_colors(context, settings->colors);
  context->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  if (settings->uses_vaapi) {
    int error = prepare_vaapi(codec, settings);
    if (error < 0) return error;
  }
  AVDictionary *options = NULL;
  int error = settings->options == NULL ? 0 : av_dict_parse_string(&options, settings->options, "=", ":", 0);
  if (error >= 0) error = avcodec_open2(context, encoder, &options);
  av_dict_free(&options);
  return error;
}

static cam_codec *begin(const char *name, const AVCodec **encoder, char *reason, size_t reason_size) {
  cam_quiet();
  cam_forget_messages();
  *encoder = avcodec_find_encoder_by_name(name);
  if (*encoder == NULL) {
    snprintf(reason, reason_size, "FFmpeg is built without it");
    return NULL;
  }
  cam_codec *codec = av_mallocz(sizeof *codec);
  if (codec == NULL) return NULL;
  codec->context = avcodec_alloc_context3(*encoder);
  codec->frame = av_frame_alloc();
  if (codec->context == NULL || codec->frame == NULL) {
    cam_codec_close(codec);
    return NULL;
  }
  return codec;
}

cam_codec *cam_encoder_open_video(const cam_video_settings *settings, char *reason, size_t reason_size) {
  const AVCodec *encoder = NULL;
  cam_codec *codec = begin(settings->name, &encoder, reason, reason_size);
  if (codec == NULL) return NULL;
  int error = open_video(codec, encoder, settings);
  if (error >= 0) return codec;
  cam_reason(error, reason, reason_size);
  cam_codec_close(codec);
  return NULL;
}

void cam_encoder_set_rates(cam_codec *codec, int64_t bit_rate, int64_t highest_rate, int64_t rate_window) {
  codec->context->bit_rate = bit_rate;
  codec->context->rc_max_rate = highest_rate;
  codec->context->rc_buffer_size = (int)FFMIN(rate_window, INT32_MAX);
}

bool cam_encoder_exists(const char *name) { return avcodec_find_encoder_by_name(name) != NULL; }

typedef struct {
  void (*release)(void *owner);
  void *owner;
} cam_owner;

static void release_owner(void *opaque, uint8_t *data) {
  (void)data;
  cam_owner *owner = opaque;
  owner->release(owner->owner);
  av_free(owner);
}

static int send_uploaded(cam_codec *codec) {
  AVFrame *uploaded = av_frame_alloc();
  if (uploaded == NULL) return AVERROR(ENOMEM);
  int error = av_hwframe_get_buffer(codec->context->hw_frames_ctx, uploaded, 0);
  if (error >= 0) error = av_hwframe_transfer_data(uploaded, codec->frame, 0);
  if (error >= 0) error = av_frame_copy_props(uploaded, codec->frame);
  if (error >= 0) error = avcodec_send_frame(codec->context, uploaded);
  av_frame_free(&uploaded);
  return error;
}

int cam_encoder_send_picture(cam_codec *codec, const cam_picture *picture, int64_t presentation, int64_t duration,
                             bool is_key, void (*release)(void *owner), void *owner) {
  AVFrame *frame = codec->frame;
  cam_owner *keeper = av_malloc(sizeof *keeper);
  if (keeper == NULL) {
    release(owner);
    return AVERROR(ENOMEM);
  }
  *keeper = (cam_owner){release, owner};
  frame->buf[0] = av_buffer_create((uint8_t *)picture->planes[0], (size_t)picture->strides[0], release_owner, keeper,
                                   AV_BUFFER_FLAG_READONLY);
  if (frame->buf[0] == NULL) {
    release_owner(keeper, NULL);
    return AVERROR(ENOMEM);
  }
  for (int plane = 0; plane < 3; plane++) {
    frame->data[plane] = (uint8_t *)picture->planes[plane];
    frame->linesize[plane] = picture->strides[plane];
  }
  frame->extended_data = frame->data;
  frame->width = picture->width;
  frame->height = picture->height;
  frame->format = pixel_format(picture->pixels);
  frame->interlaced_frame = picture->is_interlaced;
  frame->top_field_first = picture->is_top_first;
  frame->pts = presentation;
  frame->pkt_duration = duration;
  frame->pict_type = is_key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  frame->color_range = codec->context->color_range;
  frame->color_primaries = codec->context->color_primaries;
  frame->color_trc = codec->context->color_trc;
  frame->colorspace = codec->context->colorspace;
  if ((codec->context->flags & AV_CODEC_FLAG_QSCALE) != 0) frame->quality = codec->context->global_quality;
  int error = codec->device != NULL ? send_uploaded(codec) : avcodec_send_frame(codec->context, frame);
  av_frame_unref(frame);
  return cam_status(error);
}

static enum AVSampleFormat best_samples(const AVCodec *encoder) {
  return encoder->sample_fmts == NULL ? AV_SAMPLE_FMT_FLT : encoder->sample_fmts[0];
}

/// Takes another resampler from what is sent to what the encoder takes; the old one stays where there is none.
static int open_source(cam_codec *codec, int rate, int channels, cam_samples samples) {
  AVCodecContext *context = codec->context;
  AVChannelLayout source;
  av_channel_layout_default(&source, channels);
  SwrContext *made = NULL;
  int error = swr_alloc_set_opts2(&made, &context->ch_layout, context->sample_fmt, context->sample_rate, &source,
                                  cam_sample_format(samples), rate, 0, NULL);
  // Else channels that are mixed become too loud where samples are floating-point numbers, and one on both sides too quiet.
  if (error >= 0) error = av_opt_set_double(made, "rematrix_maxval", 1.0, 0);
  const double both[] = {1, 1};
  if (error >= 0 && channels == 1 && context->ch_layout.nb_channels == 2) error = swr_set_matrix(made, both, 1);
  if (error >= 0) error = swr_init(made);
  if (error < 0) {
    swr_free(&made);
    return error;
  }
  swr_free(&codec->resampler);
  codec->resampler = made;
  return 0;
}

static int open_audio(cam_codec *codec, const AVCodec *encoder, const cam_audio_settings *settings) {
  AVCodecContext *context = codec->context;
  context->sample_fmt = best_samples(encoder);
  context->sample_rate = settings->rate;
  av_channel_layout_default(&context->ch_layout, settings->channels);
  context->time_base = (AVRational){1, settings->rate};
  if (settings->bit_rate > 0) context->bit_rate = settings->bit_rate;
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  int error = avcodec_open2(context, encoder, NULL);
  if (error < 0) return error;
  error = open_source(codec, settings->source_rate, settings->source_channels, settings->source_samples);
  if (error < 0) return error;
  codec->queue = av_audio_fifo_alloc(context->sample_fmt, settings->channels, 4096);
  return codec->queue == NULL ? AVERROR(ENOMEM) : 0;
}

cam_codec *cam_encoder_open_audio(const cam_audio_settings *settings, char *reason, size_t reason_size) {
  const AVCodec *encoder = NULL;
  cam_codec *codec = begin(settings->name, &encoder, reason, reason_size);
  if (codec == NULL) return NULL;
  int error = open_audio(codec, encoder, settings);
  if (error >= 0) return codec;
  cam_reason(error, reason, reason_size);
  cam_codec_close(codec);
  return NULL;
}

/// Sends the encoder's own portion of what is queued, of which the last one may be short, and then the end; `AVERROR(EAGAIN)`
/// when there is not enough for one.
static int send_queued(cam_codec *codec) {
  AVCodecContext *context = codec->context;
  int portion = context->frame_size > 0 ? context->frame_size : 1024;
  int queued = av_audio_fifo_size(codec->queue);
  if (queued < portion && !codec->is_finished) return AVERROR(EAGAIN);
  if (queued == 0) return avcodec_send_frame(context, NULL);
  AVFrame *frame = codec->frame;
  frame->nb_samples = FFMIN(portion, queued);
  frame->format = context->sample_fmt;
  frame->sample_rate = context->sample_rate;
  int error = av_channel_layout_copy(&frame->ch_layout, &context->ch_layout);
  if (error >= 0) error = av_frame_get_buffer(frame, 0);
  if (error >= 0) {
    frame->nb_samples = av_audio_fifo_read(codec->queue, (void **)frame->extended_data, frame->nb_samples);
    frame->pts = codec->next_time;
    codec->next_time += frame->nb_samples;
    error = avcodec_send_frame(context, frame);
  }
  av_frame_unref(frame);
  return error;
}

static int convert(cam_codec *codec, const void *samples, int frames) {
  int room = swr_get_out_samples(codec->resampler, frames);
  if (room <= 0) return room;
  uint8_t **planes = NULL;
  int error = av_samples_alloc_array_and_samples(&planes, NULL, codec->context->ch_layout.nb_channels, room,
                                                 codec->context->sample_fmt, 0);
  if (error < 0) return error;
  const uint8_t *source[1] = {samples};
  int count = swr_convert(codec->resampler, planes, room, samples == NULL ? NULL : source, frames);
  if (count > 0) error = av_audio_fifo_write(codec->queue, (void **)planes, count);
  if (count > 0) codec->made += count;
  av_freep(&planes[0]);
  av_freep(&planes);
  return count < 0 ? count : error < 0 ? error : 0;
}

int cam_encoder_send_audio(cam_codec *codec, const void *samples, int frames) {
  return cam_status(convert(codec, samples, frames));
}

int cam_encoder_change_source(cam_codec *codec, int rate, int channels, cam_samples samples) {
  int error = convert(codec, NULL, 0);
  return cam_status(error < 0 ? error : open_source(codec, rate, channels, samples));
}

int64_t cam_encoder_audio_nanoseconds(const cam_codec *codec) {
  // Before the first moment a filter says that it is ahead by half its taps, which it then mirrors.
  return av_rescale(codec->made, 1000000000, codec->context->sample_rate) +
         FFMAX(swr_get_delay(codec->resampler, 1000000000), 0);
}

int cam_encoder_stretch_audio(cam_codec *codec, int parts_per_million) {
  // Ten million moments are longer than anything between two calls.
  return cam_status(swr_set_compensation(codec->resampler, parts_per_million * 10, 10000000));
}

int cam_encoder_finish(cam_codec *codec) {
  if (codec->is_finished) return 0;
  codec->is_finished = true;
  // Audio may be queued, behind which `cam_encoder_receive` sends the end.
  return cam_status(codec->resampler != NULL ? convert(codec, NULL, 0) : avcodec_send_frame(codec->context, NULL));
}

int cam_encoder_receive(cam_codec *codec, cam_packet **result) {
  *result = NULL;
  AVPacket *packet = av_packet_alloc();
  if (packet == NULL) return AVERROR(ENOMEM);
  int error = avcodec_receive_packet(codec->context, packet);
  // An encoder takes no more audio than it gives back.
  while (error == AVERROR(EAGAIN) && codec->queue != NULL) {
    int sent = send_queued(codec);
    if (sent < 0) {
      error = sent;
      break;
    }
    error = avcodec_receive_packet(codec->context, packet);
  }
  if (error < 0) {
    av_packet_free(&packet);
    return cam_status(error);
  }
  *result = (cam_packet *)packet;
  return 0;
}

const uint8_t *cam_encoder_extradata(const cam_codec *codec, size_t *size) {
  *size = codec->context->extradata == NULL ? 0 : (size_t)codec->context->extradata_size;
  return codec->context->extradata;
}

int cam_encoder_priming(const cam_codec *codec) { return codec->context->initial_padding; }

int cam_encoder_frame_size(const cam_codec *codec) {
  return codec->context->frame_size > 0 ? codec->context->frame_size : 1024;
}
