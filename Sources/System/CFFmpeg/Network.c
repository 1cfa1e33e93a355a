#include <errno.h>
#include <string.h>

#include "Support.h"

struct waiting {
  cam_is_over is_over;
  void *context;
};

static int should_end(void *opaque) {
  struct waiting *waiting = opaque;
  return waiting->is_over(waiting->context);
}

static int open_filter(cam_movie *movie, unsigned index) {
  AVStream *stream = movie->context->streams[index];
  const char *name = stream->codecpar->codec_id == AV_CODEC_ID_H264   ? "h264_mp4toannexb"
                     : stream->codecpar->codec_id == AV_CODEC_ID_HEVC ? "hevc_mp4toannexb"
                                                                      : NULL;
  if (name == NULL || index >= cam_most_filters) return 0;
  const AVBitStreamFilter *filter = av_bsf_get_by_name(name);
  if (filter == NULL) return AVERROR_BSF_NOT_FOUND;
  int error = av_bsf_alloc(filter, &movie->filters[index]);
  if (error < 0) return error;
  AVBSFContext *context = movie->filters[index];
  context->time_base_in = stream->time_base;
  error = avcodec_parameters_copy(context->par_in, stream->codecpar);
  if (error >= 0) error = av_bsf_init(context);
  // Parameter sets with start codes, too.
  if (error >= 0) error = avcodec_parameters_copy(stream->codecpar, context->par_out);
  return error;
}

cam_movie *cam_network_open(const char *address, const char *options, cam_is_over is_over, void *context, int *error) {
  cam_quiet();
  cam_forget_messages();
  cam_movie *movie = av_mallocz(sizeof *movie);
  struct waiting *waiting = av_mallocz(sizeof *waiting);
  AVDictionary *asked = NULL;
  if (movie != NULL) movie->context = avformat_alloc_context();
  if (movie == NULL || waiting == NULL || movie->context == NULL) {
    *error = AVERROR(ENOMEM);
  } else {
    *waiting = (struct waiting){is_over, context};
    movie->selected = -1;
    movie->context->interrupt_callback = (AVIOInterruptCB){should_end, waiting};
    movie->waiting = waiting;
    *error = av_dict_parse_string(&asked, options, "=", ":", 0);
    // It frees the context when it fails.
    if (*error >= 0) *error = avformat_open_input(&movie->context, address, NULL, &asked);
    if (*error >= 0) *error = avformat_find_stream_info(movie->context, NULL);
    if (*error >= 0 && movie->context->nb_streams == 0) *error = AVERROR_INVALIDDATA;
    for (unsigned index = 0; *error >= 0 && index < movie->context->nb_streams; index++) *error = open_filter(movie, index);
  }
  av_dict_free(&asked);
  if (*error >= 0) {
    *error = 0;
    return movie;
  }
  *error = cam_reason_not_open(*error, false);
  if (movie == NULL || movie->waiting == NULL) av_free(waiting);
  cam_movie_close(movie);
  return NULL;
}

int cam_network_read(cam_movie *movie, cam_packet **result, bool *is_broken) {
  *result = NULL;
  *is_broken = false;
  AVPacket *packet = av_packet_alloc();
  if (packet == NULL) return AVERROR(ENOMEM);
  unsigned missed = cam_missed_packets();
  int error = av_read_frame(movie->context, packet);
  if (error >= 0) {
    *is_broken = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0 || cam_missed_packets() != missed;
    AVBSFContext *filter = packet->stream_index < cam_most_filters ? movie->filters[packet->stream_index] : NULL;
    if (filter != NULL) {
      error = av_bsf_send_packet(filter, packet);
      if (error >= 0) error = av_bsf_receive_packet(filter, packet);
      // One damaged packet ends no stream.
      if (error < 0 && error != AVERROR(ENOMEM)) {
        av_packet_free(&packet);
        *is_broken = true;
        return cam_again;
      }
    }
  }
  if (error < 0) {
    av_packet_free(&packet);
    // While it opens this is a name that nothing knows, and here a stream that breaks off.
    return error == AVERROR(EIO) ? cam_end : cam_status(error);
  }
  *result = (cam_packet *)packet;
  return 0;
}

cam_network_problem cam_network_problem_of(int error) {
  switch (error) {
    case AVERROR(ECONNREFUSED): return cam_network_refused;
    case AVERROR(EHOSTUNREACH):
    case AVERROR(ENETUNREACH):
    case AVERROR(ENETDOWN):
    // What the library makes of a name that nothing knows.
    case AVERROR(EIO): return cam_network_unreachable;
    case AVERROR(ETIMEDOUT): return cam_network_silent;
    case AVERROR_HTTP_UNAUTHORIZED:
    case AVERROR_HTTP_FORBIDDEN:
    case AVERROR(EACCES): return cam_network_unauthorized;
    case AVERROR_HTTP_NOT_FOUND:
    case AVERROR_STREAM_NOT_FOUND: return cam_network_missing;
    case cam_untrusted: return cam_network_untrusted;
    case cam_without_tls: return cam_network_without_tls;
    case AVERROR_PROTOCOL_NOT_FOUND: return cam_network_unsupported;
    case AVERROR_EXIT: return cam_network_over;
    default: return cam_network_other;
  }
}

int64_t cam_packet_sent(const cam_packet *opaque) {
  size_t size = 0;
  const AVProducerReferenceTime *time = (const AVProducerReferenceTime *)av_packet_get_side_data(
      (const AVPacket *)opaque, AV_PKT_DATA_PRFT, &size);
  return time == NULL || size < sizeof *time ? cam_no_time : time->wallclock;
}
