#ifndef CReactions_h
#define CReactions_h

#include <stddef.h>
#include <stdint.h>

// Loops over pictures of two planes of bytes, in whole numbers. Every variant gives the same bytes; the plain one is the definition.

/// A plane that is drawn into: `width` pixels of one byte or of two (Cb and Cr) in each of `height` rows.
typedef struct {
  uint8_t *bytes;
  ptrdiff_t pitch;
  int32_t width, height;
} reactions_plane;

/// Rows of bytes that cover a picture of `height` rows, evenly; `pitch` bytes in each, one for each of the picture's columns. Where
/// 255 stands, nothing is drawn. No bytes: drawn everywhere.
typedef struct {
  const uint8_t *bytes;
  ptrdiff_t pitch;
  int32_t rows, height;
} reactions_mask;

/// A texture and where it lies in a plane. The texture reaches from -1 to 1 in both directions, and has a border of 2 clear texels.
typedef struct {
  /// Of two bytes for luma, of four for chroma.
  const void *texels;
  /// Texels in a row.
  int32_t pitch;
  /// Half its width and height without the border, in texels.
  float half_x, half_y;
  /// Its middle, in pixels of the plane.
  float center_x, center_y;
  /// The way in the texture for one pixel to the right, and for one down.
  float across_x, across_y, down_x, down_y;
  /// The rows that it may touch.
  int32_t first_row, end_row;
} reactions_sprite;

/// Blends texels over luma: luma in their first byte, alpha in the second one, multiplied. `weight` is 256 for all of it; a sum above
/// `limit` is `limit`, or what was there.
void reactions_draw_luma(const reactions_plane *plane, const reactions_sprite *sprite, int32_t weight, int32_t limit,
                         const reactions_mask *mask);

/// The same for pairs of Cb and Cr: Cb in the first byte, Cr in the second one, both around 128, alpha in the third one.
void reactions_draw_chroma(const reactions_plane *plane, const reactions_sprite *sprite, int32_t weight,
                           const reactions_mask *mask);

/// A row that lies between two rows of bytes: `near` has a weight of 128 - `share`, `far` of `share`, of 128.
typedef struct {
  const uint8_t *near;
  const uint8_t *far;
  int32_t share;
} reactions_row;

/// The place of row `y` of a picture in the rows that cover it.
reactions_row reactions_row_of(const reactions_mask *rows, int32_t y);

/// A change of light: what is left of a level in the person and in front of nobody, of 128, and what is added there.
typedef struct {
  int32_t person, background;
  int32_t added;
  int32_t black, white;
} reactions_light;

/// Luma: levels above `black` are multiplied, `light` and `added` are added in front of nobody.
void reactions_change_luma(uint8_t *row, size_t count, const reactions_light *change, const reactions_row *light,
                           const reactions_row *person);

/// Pairs of Cb and Cr around 128; `added` is Cb's, `added_red` Cr's, both everywhere.
void reactions_change_chroma(uint8_t *row, size_t count, const reactions_light *change, int32_t added_red,
                             const reactions_row *light, const reactions_row *person);

/// Widens a row of pixels of one or two bytes: pixel `x` lies at `places[x]` / 128 between two of the row. Four bytes are read at
/// each place.
void reactions_widen(const uint8_t *row, const int32_t *places, uint8_t *result, size_t count, int32_t channels);

/// Multiplies by `weights`, of 256: luma from 0 on, chroma (a weight for each pair) from 128 on.
void reactions_scale(uint8_t *luma, const uint16_t *weights, size_t count);
void reactions_scale_chroma(uint8_t *chroma, const uint16_t *weights, size_t count);

/// For tests: whether the loops for every processor are used from now on, rather than the best ones of this one. Returns whether
/// other ones are.
int reactions_use_plain_loops(int plain);

#endif
