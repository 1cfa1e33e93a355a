#ifndef cam_heif_h
#define cam_heif_h

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int width, height;
  /// Samples of 4:2:0: luma, Cb, Cr, with `chroma_step` 1 or 2; or, without chroma planes, gray.
  const uint8_t *planes[3];
  size_t strides[3];
  int chroma_step;
  /// Straight alpha, one byte a pixel, or NULL.
  const uint8_t *alpha;
  size_t alpha_stride;
  int is_full_range;
  /// Code points of ISO/IEC 23091-2.
  int primaries, transfer, matrix;
  const uint8_t *profile;
  size_t profile_size;
} cam_heif_picture;

typedef struct {
  /// 0…100, libheif's scale (x265's CRF is (100 - quality) / 2).
  int quality;
  /// Whether every number comes back as it was, whatever the quality says.
  int lossless;
  int threads;
  /// TIFF bytes, without the "Exif" prefix; NULL for none.
  const uint8_t *exif;
  size_t exif_size;
  const uint8_t *xmp;
  size_t xmp_size;
  /// A smaller picture to embed as thumbnail, or NULL.
  const cam_heif_picture *thumbnail;
  /// 1…8, as in EXIF: written as rotation and mirroring of the file format.
  int orientation;
} cam_heif_options;

/// Writes a HEIC file; `*out` is malloc'ed and the caller's.
/// Why C: the results are structs with borrowed strings, and the writer is a callback.
int cam_heif_encode(
  const cam_heif_picture *picture, const cam_heif_options *options, uint8_t **out, size_t *out_size,
  char *message);

/// An opened file and its primary picture; or, when `thumbnail` was asked for, that one.
typedef struct cam_heif_file cam_heif_file;

typedef struct {
  /// As coded, before rotation.
  int width, height;
  int bit_depth;
  int has_alpha;
  int is_alpha_premultiplied;
  int has_thumbnail;
  /// Code points, or -1 without a colour box.
  int primaries, transfer, matrix, is_full_range;
  size_t profile_size;
  size_t exif_size;
  size_t xmp_size;
} cam_heif_header;

/// Opens a file in memory, which must outlive it. Why C: structs with borrowed strings.
int cam_heif_open(const uint8_t *bytes, size_t size, cam_heif_file **file, char *message);
void cam_heif_close(cam_heif_file *file);
void cam_heif_read_header(cam_heif_file *file, cam_heif_header *header);
/// Copies as many bytes as the header announced.
int cam_heif_read_profile(cam_heif_file *file, uint8_t *to, char *message);
int cam_heif_read_exif(cam_heif_file *file, uint8_t *to, char *message);
int cam_heif_read_xmp(cam_heif_file *file, uint8_t *to, char *message);

/// A decoded picture.
typedef struct cam_heif_pixels cam_heif_pixels;

typedef enum {
  /// 4:2:0, of which other chroma is made, or gray.
  CAM_HEIF_420,
  /// Four bytes a pixel, straight alpha last.
  CAM_HEIF_RGBA,
  /// One plane, of a picture that has no more.
  CAM_HEIF_GRAY
} cam_heif_layout;

/// Decodes the primary picture or its thumbnail as it was coded, without rotation or mirroring.
/// Returns 2 when the chroma cannot be made 4:2:0.
int cam_heif_decode(
  cam_heif_file *file, int thumbnail, cam_heif_layout layout, cam_heif_pixels **pixels, char *message);
void cam_heif_release(cam_heif_pixels *pixels);

typedef struct {
  int width, height;
  const uint8_t *planes[3];
  size_t strides[3];
  int has_chroma;
  /// Code points of what was decoded, or -1 where nothing says.
  int primaries, transfer, matrix, is_full_range;
} cam_heif_planes;

void cam_heif_get_planes(cam_heif_pixels *pixels, cam_heif_planes *planes);

#endif
