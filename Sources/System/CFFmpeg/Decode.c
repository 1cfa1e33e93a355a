#include <stdio.h>
#include <string.h>

#include "Support.h"

static bool has_vaapi(const AVCodec *decoder) {
  const AVCodecHWConfig *config = NULL;
  for (int index = 0; (config = avcodec_get_hw_config(decoder, index)) != NULL; index++) {
    if (config->device_type == AV_HWDEVICE_TYPE_VAAPI &&
        (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0) {
      return true;
    }
  }
  return false;
}

/// VAAPI where the device has the stream's profile; else the processor goes on in the same decoder.
static enum AVPixelFormat choose_vaapi(AVCodecContext *context, const enum AVPixelFormat *formats) {
  for (const enum AVPixelFormat *format = formats; *format != AV_PIX_FMT_NONE; format++) {
    if (*format == AV_PIX_FMT_VAAPI) return *format;
  }
  return avcodec_default_get_format(context, formats);
}

static int prepare_vaapi(cam_codec *codec) {
  int error = av_hwdevice_ctx_create(&codec->device, AV_HWDEVICE_TYPE_VAAPI, NULL, NULL, 0);
  if (error < 0) return error;
  codec->context->hw_device_ctx = av_buffer_ref(codec->device);
  if (codec->context->hw_device_ctx == NULL) return AVERROR(ENOMEM);
  codec->context->get_format = choose_vaapi;
  return 0;
}

static cam_codec *begin(const cam_decoder_settings *settings, const AVCodec **decoder, char *reason,
                        size_t reason_size) {
  cam_quiet();
  cam_forget_messages();
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get_by_name(settings->codec);
  *decoder = descriptor == NULL ? NULL : avcodec_find_decoder(descriptor->id);
  if (settings->decoding == cam_decoding_v4l2) {
    char name[64];
    snprintf(name, sizeof name, "%s_v4l2m2m", settings->codec);
    *decoder = avcodec_find_decoder_by_name(name);
  }
  if (*decoder == NULL || (settings->decoding == cam_decoding_vaapi && !has_vaapi(*decoder))) {
    snprintf(reason, reason_size, "FFmpeg is built without such a decoder of %s", settings->codec);
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

/// Whether a stream is H.264 of the baseline profile.
static bool is_baseline(const cam_decoder_settings *settings) {
  return strcmp(settings->codec, "h264") == 0 && settings->extradata_size > 1 && settings->extradata[0] == 1 &&
         settings->extradata[1] == 66;
}

/// Keeps a reference to the memory of the packet's own picture.
static int lend(AVCodecContext *context, AVFrame *frame, int flags) {
  int error = avcodec_default_get_buffer2(context, frame, flags);
  cam_codec *codec = context->opaque;
  if (error < 0) return error;
  // A decoder that makes up a missing reference asks for its memory, too: HEVC's behind the picture's own, others before it.
  if (codec->lent->buf[0] != NULL && context->codec_id == AV_CODEC_ID_HEVC) return 0;
  av_frame_unref(codec->lent);
  return av_frame_ref(codec->lent, frame);
}

cam_codec *cam_decoder_open_video(const cam_decoder_settings *settings, char *reason, size_t reason_size) {
  const AVCodec *decoder = NULL;
  cam_codec *codec = begin(settings, &decoder, reason, reason_size);
  if (codec == NULL) return NULL;
  codec->context->width = settings->width;
  codec->context->height = settings->height;
  // Else H.264 whose headers name no reorder depth is taken for not reordered until a picture comes too late; other codecs are
  // opened so, too. Baseline, which never reorders, would have to wait for no reason.
  if (!is_baseline(settings) && !settings->is_live) codec->context->strict_std_compliance = FF_COMPLIANCE_STRICT;
  // `cam_decoder_receive_picture` leaves damaged pictures out. The decoder itself takes the first one that it leaves out at the
  // end for the end, and with it all that follow: in the last of open groups of pictures.
  codec->context->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
  // Threads that take a picture each give it as many pictures later.
  if (settings->is_live) codec->context->thread_type = FF_THREAD_SLICE;
  codec->copies_pictures = settings->decoding == cam_decoding_v4l2;
  if (settings->decoding == cam_decoding_vaapi) {
    int error = prepare_vaapi(codec);
    if (error < 0) return finish(codec, error, reason, reason_size);
  }
  if (settings->lends_pictures) {
    codec->lent = av_frame_alloc();
    if (codec->lent == NULL) return finish(codec, AVERROR(ENOMEM), reason, reason_size);
    codec->context->opaque = codec;
    codec->context->get_buffer2 = lend;
    codec->context->thread_count = 1;
  }
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
  if (codec->lent != NULL) av_frame_unref(codec->lent);
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

/// Puts a picture into memory of its own: that of the hardware cannot be read, or is one of few buffers.
static int bring_home(const cam_codec *codec, AVFrame *frame) {
  const bool is_far = frame->hw_frames_ctx != NULL;
  if (!is_far && !codec->copies_pictures) return 0;
  AVFrame *own = av_frame_alloc();
  if (own == NULL) return AVERROR(ENOMEM);
  int error = 0;
  if (is_far) {
    error = av_hwframe_transfer_data(own, frame, 0);
  } else {
    own->format = frame->format;
    own->width = frame->width;
    own->height = frame->height;
    error = av_frame_get_buffer(own, 0);
    if (error >= 0) error = av_frame_copy(own, frame);
  }
  if (error >= 0) error = av_frame_copy_props(own, frame);
  if (error >= 0) {
    av_frame_unref(frame);
    av_frame_move_ref(frame, own);
  }
  av_frame_free(&own);
  return error;
}

int cam_decoder_receive_picture(cam_codec *codec, cam_frame **result) {
  *result = NULL;
  AVFrame *frame = av_frame_alloc();
  if (frame == NULL) return AVERROR(ENOMEM);
  int error = 0;
  do {
    av_frame_unref(frame);
    error = avcodec_receive_frame(codec->context, frame);
  } while (error >= 0 && (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0);
  if (error >= 0) error = bring_home(codec, frame);
  if (error < 0) {
    av_frame_free(&frame);
    return cam_status(error);
  }
  *result = (cam_frame *)frame;
  return 0;
}

int cam_decoder_take_lent(cam_codec *codec, cam_frame **result) {
  *result = NULL;
  if (codec->lent == NULL || codec->lent->buf[0] == NULL) return 0;
  AVFrame *frame = av_frame_alloc();
  if (frame == NULL) return AVERROR(ENOMEM);
  av_frame_move_ref(frame, codec->lent);
  // The memory is that of whole blocks; what is cut off is not said yet by every decoder.
  if (frame->crop_left == 0 && frame->crop_top == 0) {
    frame->width = FFMIN(frame->width, codec->context->width);
    frame->height = FFMIN(frame->height, codec->context->height);
    frame->crop_right = frame->crop_bottom = 0;
  }
  int error = av_frame_apply_cropping(frame, AV_FRAME_CROP_UNALIGNED);
  if (error < 0) {
    av_frame_free(&frame);
    return error;
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
