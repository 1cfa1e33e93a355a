// Colours by ICC profiles that are more than a matrix and a curve.
#ifndef cam_color_h
#define cam_color_h

#include <stddef.h>
#include <stdint.h>

/// How the numbers of a picture lie.
typedef enum {
  /// Red, green, blue and alpha, 8 bits each; the same with alpha multiplied in; the same with 16 bits.
  CAM_COLOR_RGBA,
  CAM_COLOR_RGBA_PREMULTIPLIED,
  CAM_COLOR_RGBA16,
  /// Cyan, magenta, yellow and black, 8 bits each, 255 for all of it; and with 0 for all of it.
  CAM_COLOR_CMYK,
  CAM_COLOR_CMYK_INVERTED
} cam_color_layout;

typedef struct cam_color cam_color;

/// A way from the colours of a profile to sRGB; NULL when the profile is broken, or of other colours than `layout` has.
///
/// What comes out lies as what goes in; of CMYK it is red, green, blue and 255, or blue first.
cam_color *cam_color_open(const uint8_t *profile, size_t size, cam_color_layout layout, int blue_first);

/// Converts `count` pixels, which may stay where they are.
void cam_color_convert(const cam_color *color, const void *from, void *to, size_t count);

void cam_color_close(cam_color *color);

#endif
