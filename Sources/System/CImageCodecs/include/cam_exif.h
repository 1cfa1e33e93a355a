#ifndef cam_exif_h
#define cam_exif_h

#include <stddef.h>
#include <stdint.h>

/// One tag of an EXIF block. Numbers are in the machine's own byte order, text without its final zero.
typedef struct {
  /// 0 the picture, 1 its thumbnail, 2 EXIF, 3 GPS, 4 interoperability.
  int directory;
  int tag;
  /// As TIFF numbers them: 1 byte, 2 text, 3 short, 4 long, 5 rational, 6 signed byte, 7 undefined, 8 … 10 signed.
  int format;
  uint32_t count;
  const uint8_t *bytes;
  size_t size;
} cam_exif_tag;

/// Parses TIFF bytes (without the "Exif" prefix) and calls `each` for every tag, in the file's order.
/// Why C: libexif's entries are structs of borrowed pointers in the file's byte order.
/// `thumbnail` is called once when a JPEG thumbnail is there. Returns 1 when there is nothing to read.
int cam_exif_read(
  const uint8_t *bytes, size_t size, void *user, void (*each)(void *user, const cam_exif_tag *tag),
  void (*thumbnail)(void *user, const uint8_t *bytes, size_t size));

/// Writes big-endian TIFF bytes (without the "Exif" prefix); `*out` is malloc'ed and the caller's.
/// Why C: libexif's own allocator must make what its tree takes over.
int cam_exif_write(
  const cam_exif_tag *tags, int count, const uint8_t *thumbnail, size_t thumbnail_size, uint8_t **out,
  size_t *out_size);

#endif
