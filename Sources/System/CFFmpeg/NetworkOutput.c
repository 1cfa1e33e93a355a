#include <string.h>

#include "Support.h"

struct cam_sender {
  AVFormatContext *context;
  cam_is_over is_over;
  void *waiting;
  bool has_begun;
};

static int should_end(void *opaque) {
  struct cam_sender *sender = opaque;
  return sender->is_over(sender->waiting);
}

static int add_stream(AVFormatContext *context, const cam_sent_stream *asked) {
  const AVCodecDescriptor *codec = avcodec_descriptor_get_by_name(asked->codec);
  if (codec == NULL) return AVERROR_ENCODER_NOT_FOUND;
  AVStream *stream = avformat_new_stream(context, NULL);
  if (stream == NULL) return AVERROR(ENOMEM);
  AVCodecParameters *parameters = stream->codecpar;
  parameters->codec_id = codec->id;
  parameters->codec_type = codec->type;
  parameters->width = asked->width;
  parameters->height = asked->height;
  parameters->sample_rate = asked->rate;
  parameters->frame_size = asked->frame_size;
  parameters->bit_rate = asked->bit_rate;
  if (asked->channels > 0) av_channel_layout_default(&parameters->ch_layout, asked->channels);
  stream->time_base = (AVRational){1, 1000000};
  if (asked->extradata_size == 0) return 0;
  parameters->extradata = av_mallocz(asked->extradata_size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (parameters->extradata == NULL) return AVERROR(ENOMEM);
  memcpy(parameters->extradata, asked->extradata, asked->extradata_size);
  parameters->extradata_size = (int)asked->extradata_size;
  return 0;
}

cam_sender *cam_sender_open(const char *address, const char *format, const char *options, const cam_sent_stream *streams,
                            int count, cam_is_over is_over, void *waiting, int *error) {
  cam_quiet();
  cam_forget_messages();
  cam_sender *sender = av_mallocz(sizeof *sender);
  AVDictionary *asked = NULL;
  if (sender == NULL) {
    *error = AVERROR(ENOMEM);
    return NULL;
  }
  sender->is_over = is_over;
  sender->waiting = waiting;
  *error = avformat_alloc_output_context2(&sender->context, NULL, format, address);
  AVFormatContext *context = sender->context;
  for (int index = 0; *error >= 0 && index < count; index++) *error = add_stream(context, &streams[index]);
  if (*error >= 0) *error = av_dict_parse_string(&asked, options, "=", ":", 0);
  if (*error >= 0) {
    context->interrupt_callback = (AVIOInterruptCB){should_end, sender};
    // What one packet waits for is sent: a reader puts them in order.
    context->max_interleave_delta = 1;
    context->flags |= AVFMT_FLAG_FLUSH_PACKETS;
  }
  if (*error >= 0 && (context->oformat->flags & AVFMT_NOFILE) == 0) {
    *error = avio_open2(&context->pb, address, AVIO_FLAG_WRITE, &context->interrupt_callback, &asked);
  }
  if (*error >= 0) *error = avformat_write_header(context, &asked);
  av_dict_free(&asked);
  if (*error >= 0) {
    sender->has_begun = true;
    *error = 0;
    return sender;
  }
  *error = cam_reason_not_open(*error, false);
  cam_sender_close(sender, false);
  return NULL;
}

bool cam_sender_checks_certificates(const char *format) {
  const AVOutputFormat *found = av_guess_format(format, NULL, NULL);
  if (found == NULL || strcmp(format, "rtsp") != 0) return true;
  return av_opt_find((void *)&found->priv_class, "tls_verify", NULL, 0, AV_OPT_SEARCH_FAKE_OBJ) != NULL;
}

int cam_sender_write(cam_sender *sender, int index, const void *data, size_t size, int64_t presentation, int64_t decoding,
                     bool is_key) {
  if (size > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR(EINVAL);
  AVPacket *packet = av_packet_alloc();
  if (packet == NULL) return AVERROR(ENOMEM);
  int error = av_new_packet(packet, (int)size);
  if (error >= 0) {
    memcpy(packet->data, data, size);
    packet->stream_index = index;
    packet->pts = presentation;
    packet->dts = decoding;
    if (is_key) packet->flags |= AV_PKT_FLAG_KEY;
    av_packet_rescale_ts(packet, (AVRational){1, 1000000}, sender->context->streams[index]->time_base);
    error = av_write_frame(sender->context, packet);
  }
  av_packet_free(&packet);
  return error < 0 ? error : 0;
}

void cam_sender_close(cam_sender *sender, bool says_end) {
  if (sender == NULL) return;
  if (sender->context != NULL) {
    if (sender->has_begun && says_end) av_write_trailer(sender->context);
    if ((sender->context->oformat->flags & AVFMT_NOFILE) == 0) avio_closep(&sender->context->pb);
    avformat_free_context(sender->context);
  }
  av_free(sender);
}
