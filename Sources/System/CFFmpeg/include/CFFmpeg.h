#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What this project calls of FFmpeg's libraries, in words that Swift can import: codecs, the reading of containers, and the
// resampler between audio formats. FFmpeg's own headers stay out of the module map. Functions return 0, `cam_again`, `cam_end`,
// or one of FFmpeg's errors below zero, of which `cam_describe` makes a sentence.

/// More has to be sent before something comes back.
static const int cam_again = 1;
/// Nothing comes any more.
static const int cam_end = 2;
/// A time that is not known.
static const int64_t cam_no_time = INT64_MIN;

/// Writes what an error means as text.
void cam_describe(int error, char *text, size_t size);
/// FFmpeg's own version, such as 5.1.9.
const char *cam_version(void);

// MARK: - Packets

/// Compressed media: AVPacket.
typedef struct cam_packet cam_packet;

/// What is in a packet; the data lives as long as the packet.
typedef struct {
  int stream;  // its place among a file's
  const uint8_t *data;
  size_t size;
  int64_t presentation, decoding, duration;  // in units of the stream or encoder; `cam_no_time`
  bool is_key;
  bool is_discarded;            // decoded, but not shown
  uint32_t skip_start, skip_end;  // samples of audio to leave out
  double quantizer;               // on average, where an encoder of pictures says it; below zero where not
} cam_packet_facts;

cam_packet_facts cam_packet_look(const cam_packet *packet);
void cam_packet_free(cam_packet *packet);

// MARK: - Pictures

/// How the pixels of a picture lie: planes as CVPixelBuffer has them.
typedef enum {
  cam_pixels_other = 0,
  cam_pixels_nv12,      // 420v, 420f
  cam_pixels_yuv420,    // y420, f420
  cam_pixels_p010,      // x420, xf20
  cam_pixels_yuv422_10  // planar, 10 bits at the low end
} cam_pixels;

/// A picture in memory that the caller keeps.
typedef struct {
  const uint8_t *planes[3];
  int strides[3];
  int width, height;
  cam_pixels pixels;
  bool is_interlaced, is_top_first;  // of two fields, and which line is the earlier one's
} cam_picture;

/// How colours are coded, by the numbers of ITU-T H.273; 2 is unknown.
typedef struct {
  int primaries, transfer, matrix;
  bool is_full_range;
} cam_colors;

/// A decoded picture: AVFrame.
typedef struct cam_frame cam_frame;

/// What is in a decoded picture.
typedef struct {
  cam_picture picture;  // the planes live as long as the frame
  int64_t presentation, duration;
  cam_colors colors;
  int aspect_width, aspect_height;  // of a pixel; 0 when unknown
  int depth;                        // bits of a component
  bool can_be_biplanar;             // whether `cam_frame_write_biplanar` serves
} cam_frame_facts;

cam_frame_facts cam_frame_look(const cam_frame *frame);
void cam_frame_free(cam_frame *frame);
/// Writes a planar picture of any sampling as luma and interleaved half-size chroma: 8 bits, or 10 at the high end of 16.
void cam_frame_write_biplanar(const cam_frame *frame, uint8_t *luma, int luma_stride, uint8_t *chroma,
                              int chroma_stride, bool is_deep);

// MARK: - Encoders

/// An encoder or decoder: AVCodecContext.
typedef struct cam_codec cam_codec;

typedef struct {
  const char *name;  // FFmpeg's name of the encoder
  int width, height;
  cam_pixels pixels;
  int timescale;      // units of time in a second
  double frame_rate;  // expected; 0 for unknown
  int64_t bit_rate;   // 0 where the options say the quality
  int64_t highest_rate, rate_window;  // bits a second, and the bits over which that is measured; 0 for no limit
  int key_interval;   // most frames from key frame to key frame; 0 for the encoder's own
  int reordered;      // most frames in a row that are decoded later than shown
  int profile, level;  // -99 for the encoder's own
  int global_quality;  // of encoders that take a quantizer; 0 for none
  cam_colors colors;
  int aspect_width, aspect_height;
  bool uses_vaapi;
  const char *options;  // the encoder's own: name=value:name=value
} cam_video_settings;

/// Opens a video encoder; NULL, and the reason as text, when it cannot.
cam_codec *cam_encoder_open_video(const cam_video_settings *settings, char *reason, size_t reason_size);

/// Sends a picture, whose memory the encoder may use until `release` is called, which happens in any case.
int cam_encoder_send_picture(cam_codec *encoder, const cam_picture *picture, int64_t presentation, int64_t duration,
                             bool is_key, void (*release)(void *owner), void *owner);

/// Changes rates while the encoder is open; only x264 looks at them again.
void cam_encoder_set_rates(cam_codec *encoder, int64_t bit_rate, int64_t highest_rate, int64_t rate_window);
/// Whether FFmpeg was built with an encoder.
bool cam_encoder_exists(const char *name);

/// How samples of uncompressed audio lie in memory, interleaved.
typedef enum { cam_samples_u8, cam_samples_s16, cam_samples_s32, cam_samples_float, cam_samples_double } cam_samples;

typedef struct {
  const char *name;
  int rate, channels;
  int64_t bit_rate;  // 0 for the encoder's own
  int source_rate, source_channels;
  cam_samples source_samples;
} cam_audio_settings;

/// Opens an audio encoder, which converts from the source's format by itself.
cam_codec *cam_encoder_open_audio(const cam_audio_settings *settings, char *reason, size_t reason_size);
/// Sends `frames` moments of interleaved audio.
int cam_encoder_send_audio(cam_codec *encoder, const void *samples, int frames);
/// Says that what is sent from now on has another form; what waits inside comes first.
int cam_encoder_change_source(cam_codec *encoder, int rate, int channels, cam_samples samples);
/// How long all is that was sent, in the time of what comes out.
int64_t cam_encoder_audio_nanoseconds(const cam_codec *encoder);
/// Makes what is sent from now on longer by so many millionths, shorter below zero.
int cam_encoder_stretch_audio(cam_codec *encoder, int parts_per_million);

/// Says that nothing comes any more; what the encoder still holds can be received.
int cam_encoder_finish(cam_codec *encoder);
/// Receives compressed media.
int cam_encoder_receive(cam_codec *encoder, cam_packet **packet);
/// What a decoder must know beside; lives as long as the encoder.
const uint8_t *cam_encoder_extradata(const cam_codec *encoder, size_t *size);
/// Samples that the encoder puts before the first one, and that a packet holds.
int cam_encoder_priming(const cam_codec *encoder);
int cam_encoder_frame_size(const cam_codec *encoder);

// MARK: - Resampling

/// Converts uncompressed audio: SwrContext.
typedef struct cam_resampler cam_resampler;

typedef struct {
  int source_rate, source_channels;
  cam_samples source_samples;
  bool source_is_planar;  // each channel by itself
  int rate, channels;
  cam_samples samples;
  bool is_planar;
  int filter_size;       // taps of the filter between two rates
  bool dithers;          // noise instead of steps where bits are lost
  const double *matrix;  // the share of each source channel, row by row of the channels that come out; NULL mixes by itself
} cam_resampler_settings;

/// Opens a resampler; NULL, and the reason as text, when it cannot.
cam_resampler *cam_resampler_open(const cam_resampler_settings *settings, char *reason, size_t reason_size);
void cam_resampler_close(cam_resampler *resampler);
/// Converts `frames` moments and what waits inside into at most `room`; what does not fit waits. NULL says that nothing comes
/// any more. Returns the moments that came out.
int cam_resampler_convert(cam_resampler *resampler, void *const *out, int room, const void *const *source, int frames);
/// Puts moments of silence before what comes next.
int cam_resampler_insert_silence(cam_resampler *resampler, int frames);
/// Leaves out the next moments that would come out.
int cam_resampler_drop(cam_resampler *resampler, int frames);
/// Forgets what waits inside.
int cam_resampler_reset(cam_resampler *resampler);

// MARK: - Decoders

/// Where pictures are decoded.
typedef enum { cam_decoding_processor, cam_decoding_vaapi, cam_decoding_v4l2 } cam_decoding;

typedef struct {
  const char *codec;  // FFmpeg's name of the codec
  cam_decoding decoding;
  const uint8_t *extradata;
  size_t extradata_size;
  uint32_t tag;  // four characters, the first one lowest
  int width, height;
  int rate, channels, bits, block_align;
  int timescale;
  int threads;
  bool lends_pictures;  // for cam_decoder_take_lent; with one thread only
  bool is_live;         // gives each picture as early as it can
} cam_decoder_settings;

/// Opens a decoder of video. Where a stream's headers leave open how far pictures are reordered, it waits for as many as the
/// level allows, rather than to lose some.
cam_codec *cam_decoder_open_video(const cam_decoder_settings *settings, char *reason, size_t reason_size);
/// Opens a decoder of audio that comes out interleaved with these samples, rate and channels.
cam_codec *cam_decoder_open_audio(const cam_decoder_settings *settings, cam_samples samples, int rate, int channels,
                                  char *reason, size_t reason_size);
/// Sends compressed data, which is copied; NULL says that nothing comes any more.
int cam_decoder_send(cam_codec *decoder, const void *data, size_t size, int64_t presentation, int64_t decoding,
                     int64_t duration, bool is_key, uint32_t skip_start, uint32_t skip_end);
/// Receives a picture.
int cam_decoder_receive_picture(cam_codec *decoder, cam_frame **frame);
/// Takes the picture that the packet which was sent last was decoded into, before the decoder puts it in the order of showing,
/// which still gives it later; NULL where the packet has none.
int cam_decoder_take_lent(cam_codec *decoder, cam_frame **frame);
/// Receives audio: `*samples` lives until the next call, and begins at `*presentation` in units of the stream.
int cam_decoder_receive_audio(cam_codec *decoder, const uint8_t **samples, int *frames, int64_t *presentation);
/// Forgets what was sent, so that decoding begins elsewhere.
void cam_decoder_flush(cam_codec *decoder);

void cam_codec_close(cam_codec *codec);

// MARK: - Containers

/// A file that is read: AVFormatContext.
typedef struct cam_movie cam_movie;

typedef enum { cam_media_other, cam_media_video, cam_media_audio, cam_media_subtitle, cam_media_data } cam_media;

/// What a stream of a file is.
typedef struct {
  int number;  // the file's own
  cam_media media;
  const char *codec;
  uint32_t tag;
  int time_numerator, time_denominator;
  int64_t start, duration;  // `cam_no_time`
  bool is_cut;              // whether the file breaks off before samples that it names
  const uint8_t *extradata;
  size_t extradata_size;
  int width, height;
  int aspect_width, aspect_height;
  cam_colors colors;
  bool has_range;
  bool has_matrix;
  int32_t matrix[9];
  double frame_rate;
  int rate, channels, bits, block_align, frame_size;
  int64_t bit_rate;
  int profile, level;
  char language[8];
  bool is_default;
} cam_stream;

/// One sample as the file's own table has it.
typedef struct {
  int64_t position, decoding;
  int size;
  bool is_key;
  bool is_discarded;  // decoded, but not shown
} cam_entry;

/// Opens a file for reading as if it ended at `end` (0: where it ends); NULL, and the error, when it cannot.
/// Times are those in which it is shown, or those of the media where edit lists are left to the caller.
cam_movie *cam_movie_open(const char *path, int64_t end, bool ignores_edits, int *error);
void cam_movie_close(cam_movie *movie);
/// The names of the container, such as mov,mp4,m4a,3gp,3g2,mj2.
const char *cam_movie_format(const cam_movie *movie);
/// The whole file's duration in microseconds; `cam_no_time`.
int64_t cam_movie_duration(const cam_movie *movie);
int cam_movie_stream_count(const cam_movie *movie);
cam_stream cam_movie_stream(const cam_movie *movie, int index);
/// How many samples the table has, and one of them.
int cam_movie_entry_count(const cam_movie *movie, int index);
cam_entry cam_movie_entry(const cam_movie *movie, int index, int entry);
/// When the first sample is decoded that the tables of an MP4 or QuickTime file place behind the file's end; `cam_no_time`.
int64_t cam_movie_first_missing(const cam_movie *movie, int index);
/// An entry of the file's or a stream's (`index` not below zero) text; false behind the last one.
bool cam_movie_text(const cam_movie *movie, int index, int number, const char **key, const char **value);
/// Reads only one stream from now on.
void cam_movie_select(cam_movie *movie, int index);
/// Goes to the last key frame that is not shown later than a time in the stream's units.
int cam_movie_seek(cam_movie *movie, int index, int64_t time);
/// Reads the next sample of the selected stream, or of any where none was selected.
int cam_movie_read(cam_movie *movie, cam_packet **packet);

// MARK: - Streams of a network

/// Asked, on the reading thread, while the network is waited for; true ends the wait.
typedef bool (*cam_is_over)(void *context);

/// Why a stream cannot be read.
typedef enum {
  cam_network_other,
  cam_network_refused,       // nothing listens there
  cam_network_unreachable,   // no way to the machine, or no such name
  cam_network_silent,        // it did not answer in time
  cam_network_unauthorized,  // another name and password are wanted
  cam_network_missing,       // there is no such stream
  cam_network_untrusted,     // its certificate cannot be trusted
  cam_network_without_tls,   // it does not answer by TLS
  cam_network_unsupported,   // the library was built without the protocol
  cam_network_over           // the wait was ended
} cam_network_problem;

/// Connects, and reads until it is known what comes; then `cam_movie_stream` and `cam_movie_close` serve. `options` are the library's,
/// as key=value:key=value. NULL, and the error, when it cannot.
cam_movie *cam_network_open(const char *address, const char *options, cam_is_over is_over, void *context, int *error);
/// Reads the next packet of any stream, H.264 and HEVC with start codes; `*is_broken` where bytes before or in it were lost.
int cam_network_read(cam_movie *movie, cam_packet **packet, bool *is_broken);
/// What is wrong, of an error of these functions.
cam_network_problem cam_network_problem_of(int error);
/// A connection on which coded media is sent: AVFormatContext.
typedef struct cam_sender cam_sender;

typedef struct {
  const char *codec;  // the library's name: h264, hevc, aac, opus
  const uint8_t *extradata;
  size_t extradata_size;
  int width, height;
  int rate, channels, frame_size;
  int64_t bit_rate;
} cam_sent_stream;

/// Connects and begins; `format` is the library's: rtsp, flv, mpegts. NULL, and the error, when it cannot.
cam_sender *cam_sender_open(const char *address, const char *format, const char *options, const cam_sent_stream *streams,
                            int count, cam_is_over is_over, void *context, int *error);
/// Whether a sender of a format checks certificates when its options ask for it.
bool cam_sender_checks_certificates(const char *format);
/// Sends a packet; times in microseconds.
int cam_sender_write(cam_sender *sender, int stream, const void *data, size_t size, int64_t presentation, int64_t decoding,
                     bool is_key);
/// Hangs up, after telling the other side of the end where that is wanted.
void cam_sender_close(cam_sender *sender, bool says_end);
/// When the camera sent the packet by its own clock, in microseconds since 1970; `cam_no_time` while it has not said so.
int64_t cam_packet_sent(const cam_packet *packet);

// MARK: - RTP

/// A connection of bytes, by TCP or TLS: AVIOContext.
typedef struct cam_link cam_link;

/// Connects to tcp:// or tls://; `options` are the library's. One that does not wait reads what has come. NULL, and the error, when it
/// cannot.
cam_link *cam_link_open(const char *address, const char *options, bool waits, cam_is_over is_over, void *context, int *error);
/// Reads some of what comes; `cam_again` of a link that does not wait where nothing has come.
int cam_link_read(cam_link *link, void *bytes, size_t size, size_t *count);
/// Sends all of it.
int cam_link_write(cam_link *link, const void *bytes, size_t size);
/// Sends a farewell, for which it waits some tenths of a second at most, and hangs up.
void cam_link_close(cam_link *link, const void *farewell, size_t size);

/// Where a packet of RTP lies in a picture's access unit.
typedef enum {
  cam_rtp_begin_none,    // it holds nothing of the medium
  cam_rtp_begin_unit,    // an access unit begins with it, if a slice came before
  cam_rtp_begin_inside
} cam_rtp_begin;

/// What a packet of RTP holds of H.264 or HEVC.
typedef struct {
  cam_rtp_begin begin;
  bool has_slice, is_marked;
  uint32_t time;
} cam_rtp_part;

/// Looks into a packet.
cam_rtp_part cam_rtp_part_of(const uint8_t *packet, size_t size, int payload_type, bool is_hevc);
/// Finds the payload between header and padding; false where there is none.
bool cam_rtp_payload(const uint8_t *packet, size_t size, size_t *begin, size_t *end);

/// Opens a medium's SDP, and reads a record of its packets, which lie behind each other; then `cam_movie_stream` and `cam_movie_close`
/// serve. NULL, and the error, when it cannot.
cam_movie *cam_rtp_look(const char *description, const uint8_t *bytes, const uint16_t *sizes, int count, int *error);

/// Makes a medium's packets of its RTP: of H.264 and HEVC whole access units, as soon as the packet with the marker is there.
typedef struct cam_rtp cam_rtp;

/// Opens a medium's SDP. NULL, and the error, when it cannot.
cam_rtp *cam_rtp_open(const char *description, int payload_type, int *error);
void cam_rtp_close(cam_rtp *rtp);
/// Takes a packet of RTP, in the order of their numbers, or of RTCP; its bytes are read by `cam_rtp_next`, to be called until it answers
/// `cam_again`.
void cam_rtp_take(cam_rtp *rtp, const uint8_t *packet, size_t size, bool is_after_loss);
/// Gives what is made of the packet that was taken, and those before it; `*is_broken` where bytes before or in it were lost.
int cam_rtp_next(cam_rtp *rtp, cam_packet **packet, bool *is_broken);
/// Takes the report to the sender that was made last, RTCP which lives until the next packet is taken; NULL for none.
const uint8_t *cam_rtp_report(cam_rtp *rtp, size_t *size);

// MARK: - Digests

/// SHA-1 of some bytes, 20 bytes long; false without memory.
bool cam_sha1(const void *bytes, size_t size, uint8_t *digest);
/// MD5 of some bytes, 16 bytes long.
void cam_md5(const void *bytes, size_t size, uint8_t *digest);

#endif
