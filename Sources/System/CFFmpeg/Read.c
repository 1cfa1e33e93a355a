#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/avstring.h>

#include "Support.h"

// What a client may name: files of these containers, and nothing that they point to.
static const char *const allowed_formats = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,wav,aiff,caf,mp3,aac,flac,ogg";

static bool knows_enough(const AVFormatContext *context) {
  if (strstr(context->iformat->name, "mp4") == NULL) return false;
  for (unsigned index = 0; index < context->nb_streams; index++) {
    const AVCodecParameters *parameters = context->streams[index]->codecpar;
    if (parameters->codec_type == AVMEDIA_TYPE_VIDEO && (parameters->width <= 0 || parameters->height <= 0)) return false;
    if (parameters->codec_type == AVMEDIA_TYPE_AUDIO &&
        (parameters->sample_rate <= 0 || parameters->ch_layout.nb_channels <= 0)) return false;
    if (parameters->codec_id == AV_CODEC_ID_NONE && parameters->codec_type == AVMEDIA_TYPE_VIDEO) return false;
  }
  return context->nb_streams > 0;
}

cam_movie *cam_movie_open(const char *path, int64_t end, bool ignores_edits, int *error) {
  cam_quiet();
  cam_forget_messages();
  cam_movie *movie = av_mallocz(sizeof *movie);
  if (movie == NULL) {
    *error = AVERROR(ENOMEM);
    return NULL;
  }
  movie->ignores_edits = ignores_edits;
  struct stat status;
  movie->file_size = stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
  AVDictionary *options = NULL;
  av_dict_set(&options, "format_whitelist", allowed_formats, 0);
  av_dict_set(&options, "protocol_whitelist", end > 0 ? "file,subfile" : "file", 0);
  if (ignores_edits) av_dict_set(&options, "ignore_editlist", "1", 0);
  char *address = end > 0 ? av_asprintf("subfile,,start,0,end,%" PRId64 ",,:file:%s", end, path)
                          : av_asprintf("file:%s", path);
  *error = address == NULL ? AVERROR(ENOMEM) : avformat_open_input(&movie->context, address, NULL, &options);
  av_free(address);
  av_dict_free(&options);
  if (*error >= 0 && !knows_enough(movie->context)) *error = avformat_find_stream_info(movie->context, NULL);
  if (*error >= 0 && movie->context->nb_streams == 0) *error = AVERROR_INVALIDDATA;
  if (*error < 0) {
    cam_movie_close(movie);
    return NULL;
  }
  movie->selected = -1;
  movie->is_fragmented = end > 0;
  *error = 0;
  return movie;
}

void cam_movie_close(cam_movie *movie) {
  if (movie == NULL) return;
  for (int index = 0; index < cam_most_filters; index++) av_bsf_free(&movie->filters[index]);
  avformat_close_input(&movie->context);
  if (movie->packets != NULL) {
    av_freep(&movie->packets->buffer);
    avio_context_free(&movie->packets);
  }
  av_free(movie->waiting);
  av_free(movie);
}

const char *cam_movie_format(const cam_movie *movie) { return movie->context->iformat->name; }

int64_t cam_movie_duration(const cam_movie *movie) {
  return movie->context->duration == AV_NOPTS_VALUE ? cam_no_time : movie->context->duration;
}

int cam_movie_stream_count(const cam_movie *movie) { return (int)movie->context->nb_streams; }

static cam_media media(enum AVMediaType type) {
  switch (type) {
    case AVMEDIA_TYPE_VIDEO: return cam_media_video;
    case AVMEDIA_TYPE_AUDIO: return cam_media_audio;
    case AVMEDIA_TYPE_SUBTITLE: return cam_media_subtitle;
    case AVMEDIA_TYPE_DATA: return cam_media_data;
    default: return cam_media_other;
  }
}

/// The end of the last sample that lies in the file, where a file was cut off; `cam_no_time` for whole files.
static int64_t end_of_cut_file(const cam_movie *movie, AVStream *stream) {
  int count = avformat_index_get_entries_count(stream), present = count;
  while (present > 0) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, present - 1);
    if (entry->pos + entry->size <= movie->file_size) break;
    present--;
  }
  if (present == count || present == 0) return cam_no_time;
  return avformat_index_get_entry(stream, present)->timestamp;
}

cam_stream cam_movie_stream(const cam_movie *movie, int index) {
  AVStream *stream = movie->context->streams[index];
  const AVCodecParameters *parameters = stream->codecpar;
  cam_stream facts = {
      .number = stream->id,
      .media = media(parameters->codec_type),
      .codec = avcodec_get_name(parameters->codec_id),
      .tag = parameters->codec_tag,
      .time_numerator = stream->time_base.num,
      .time_denominator = stream->time_base.den,
      .start = stream->start_time == AV_NOPTS_VALUE ? cam_no_time : stream->start_time,
      .duration = stream->duration == AV_NOPTS_VALUE ? cam_no_time : stream->duration,
      .extradata = parameters->extradata,
      .extradata_size = parameters->extradata == NULL ? 0 : (size_t)parameters->extradata_size,
      .width = parameters->width,
      .height = parameters->height,
      .aspect_width = stream->sample_aspect_ratio.num,
      .aspect_height = stream->sample_aspect_ratio.den,
      .colors = {.primaries = parameters->color_primaries,
                 .transfer = parameters->color_trc,
                 .matrix = parameters->color_space,
                 .is_full_range = parameters->color_range == AVCOL_RANGE_JPEG},
      .has_range = parameters->color_range != AVCOL_RANGE_UNSPECIFIED,
      .frame_rate = av_q2d(stream->avg_frame_rate.num > 0 ? stream->avg_frame_rate : (AVRational){0, 1}),
      .rate = parameters->sample_rate,
      .channels = parameters->ch_layout.nb_channels,
      .bits = parameters->bits_per_coded_sample,
      .block_align = parameters->block_align,
      .frame_size = parameters->frame_size,
      .bit_rate = parameters->bit_rate,
      .profile = parameters->profile,
      .level = parameters->level,
      .is_default = (stream->disposition & AV_DISPOSITION_DEFAULT) != 0,
  };
  int64_t end = end_of_cut_file(movie, stream);
  facts.is_cut = end != cam_no_time;
  if (facts.is_cut) facts.duration = end - (facts.start == cam_no_time ? 0 : facts.start);
  size_t size = 0;
  const uint8_t *matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix != NULL && size >= sizeof facts.matrix) {
    memcpy(facts.matrix, matrix, sizeof facts.matrix);
    facts.has_matrix = true;
  }
  const AVDictionaryEntry *language = av_dict_get(stream->metadata, "language", NULL, 0);
  if (language != NULL) strncpy(facts.language, language->value, sizeof facts.language - 1);
  return facts;
}

int cam_movie_entry_count(const cam_movie *movie, int index) {
  return avformat_index_get_entries_count(movie->context->streams[index]);
}

cam_entry cam_movie_entry(const cam_movie *movie, int index, int number) {
  const AVIndexEntry *entry = avformat_index_get_entry(movie->context->streams[index], number);
  if (entry == NULL) return (cam_entry){0};
  return (cam_entry){.position = entry->pos,
                     .decoding = entry->timestamp,
                     .size = entry->size,
                     .is_key = (entry->flags & AVINDEX_KEYFRAME) != 0,
                     .is_discarded = (entry->flags & AVINDEX_DISCARD_FRAME) != 0};
}

int64_t cam_movie_first_missing(const cam_movie *movie, int index) {
  // Other containers' tables are written by programs that count from other places.
  if (movie->is_fragmented || strstr(movie->context->iformat->name, "mov") == NULL) return cam_no_time;
  int count = avformat_index_get_entries_count(movie->context->streams[index]);
  for (int number = 0; number < count; number += 1) {
    const AVIndexEntry *entry = avformat_index_get_entry(movie->context->streams[index], number);
    if (entry != NULL && entry->pos + entry->size > movie->file_size) return entry->timestamp;
  }
  return cam_no_time;
}

bool cam_movie_text(const cam_movie *movie, int index, int number, const char **key, const char **value) {
  AVDictionary *texts = index < 0 ? movie->context->metadata : movie->context->streams[index]->metadata;
  const AVDictionaryEntry *entry = NULL;
  for (int passed = 0; passed <= number; passed++) {
    entry = av_dict_get(texts, "", entry, AV_DICT_IGNORE_SUFFIX);
    if (entry == NULL) return false;
  }
  *key = entry->key;
  *value = entry->value;
  return true;
}

void cam_movie_select(cam_movie *movie, int index) {
  movie->selected = index;
  for (unsigned other = 0; other < movie->context->nb_streams; other++) {
    movie->context->streams[other]->discard = (int)other == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

int cam_movie_seek(cam_movie *movie, int index, int64_t time) {
  return cam_status(av_seek_frame(movie->context, index, time, AVSEEK_FLAG_BACKWARD));
}

/// Takes a sample's duration from the movie's table; for reordered ones the library guesses it from the stream.
static void take_duration(const cam_movie *movie, AVPacket *packet) {
  AVStream *stream = movie->context->streams[packet->stream_index];
  if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO || packet->dts == AV_NOPTS_VALUE ||
      strstr(movie->context->iformat->name, "mp4") == NULL) return;
  int place = av_index_search_timestamp(stream, packet->dts, AVSEEK_FLAG_ANY);
  int count = avformat_index_get_entries_count(stream);
  if (place < 0 || avformat_index_get_entry(stream, place)->timestamp != packet->dts) return;
  int64_t end = place + 1 < count ? avformat_index_get_entry(stream, place + 1)->timestamp : AV_NOPTS_VALUE;
  // Only where edit lists are ignored the stream's duration is that of the table.
  if (end == AV_NOPTS_VALUE && movie->ignores_edits && stream->duration != AV_NOPTS_VALUE) {
    end = avformat_index_get_entry(stream, 0)->timestamp + stream->duration;
  }
  if (end != AV_NOPTS_VALUE && end > packet->dts) packet->duration = end - packet->dts;
}

int cam_movie_read(cam_movie *movie, cam_packet **result) {
  *result = NULL;
  AVPacket *packet = av_packet_alloc();
  if (packet == NULL) return AVERROR(ENOMEM);
  int error = 0;
  do {
    av_packet_unref(packet);
    error = av_read_frame(movie->context, packet);
  } while (error >= 0 && ((movie->selected >= 0 && packet->stream_index != movie->selected) ||
                          (packet->flags & AV_PKT_FLAG_CORRUPT) != 0));
  if (error < 0) {
    av_packet_free(&packet);
    return cam_status(error);
  }
  take_duration(movie, packet);
  *result = (cam_packet *)packet;
  return 0;
}
