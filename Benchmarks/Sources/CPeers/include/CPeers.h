#ifndef CPeers_h
#define CPeers_h

#include <stddef.h>
#include <stdint.h>

/// GStreamer's live `fakesrc ! appsink` at `rate` buffers of `size` bytes a second, without touching their bytes,
/// for `warm_up + count` buffers; with `has_queue` a leaky `queue` stands between them, so that the sink calls on a thread of
/// its own. In C because GStreamer's macros and varargs do not reach Swift. Returns the CPU seconds of this
/// process from the arrival of buffer `warm_up` to that of the last, or -1 when they did not come.
double peer_gstreamer_delivery(int rate, size_t size, int warm_up, int count, int has_queue);

/// A TurboJPEG compressor for 4:2:0 planes; opaque.
typedef struct peer_turbojpeg peer_turbojpeg;

peer_turbojpeg *peer_turbojpeg_create(void);
void peer_turbojpeg_destroy(peer_turbojpeg *peer);

/// The bare `tjCompressFromYUVPlanes` of one frame; the bytes stay in the compressor's own memory. Returns their count, or 0.
size_t peer_turbojpeg_compress(peer_turbojpeg *peer, const uint8_t *y, const uint8_t *u, const uint8_t *v, int width,
                               int height, int quality);

/// ZXing-C++'s own search, with its default options, for QR codes, EAN-13 and Code 128 in a picture's luma. Returns how many it
/// reads, or -1 when it fails.
int peer_zxing_count(const uint8_t *luma, ptrdiff_t stride, int width, int height);

/// A catalogue of photos in SQLite, made and filled by plain C; opaque.
typedef struct peer_library peer_library;

/// A new catalogue at `path` with the tables of `schema`; NULL when it cannot be made.
peer_library *peer_library_create(const char *path, const char *schema);
void peer_library_destroy(peer_library *library);

/// Inserts so many photos, each with a file's row, in one transaction; 0 when that failed.
int peer_library_fill(peer_library *library, int count);

/// Opens the catalogue at `path` and reads the newest photos with their files' names; with the paths of their thumbnails, which
/// GLib names after the freedesktop specification, when `with_paths` is not 0. Returns how many there are, or -1.
int peer_library_newest(const char *path, const char *folder, int count, int with_paths);

#endif
