// Loops over pixels for VideoEffects: who is in front, and what a lens, a lamp or another background does to the picture.
//
// Pictures have a plane of luma and one of chroma pairs at half the size, of bytes. Next to them work fields of floats, whose cells
// are squares of `factor` pixels, an even number. Every variant gives the same bits; the plain one is the definition.
#ifndef CEffects_h
#define CEffects_h

#include <stddef.h>
#include <stdint.h>

/// Luma and chroma of a picture. `width` and `height` are of luma; chroma has half of both, rounded up.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  uint8_t *luma, *chroma;
  ptrdiff_t lumaStride, chromaStride;
  int32_t width, height;
} effects_picture;

/// Numbers, one for each cell. A row begins every `stride` numbers, which is `width` and at least 8 more; those are 0.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  float *base;
  ptrdiff_t stride;
  int32_t width, height;
} effects_field;

/// A colour for each cell, in levels from 0 to 255.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  effects_field luma, blue, red;
} effects_colors;

/// A mask as a line over the colours of pixels: slopes for each, and what is added.
///
/// Its value is then stretched, `low` to 0 and `high` to 1, and rounded at both ends.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  effects_colors slopes;
  effects_field base;
  float low, high;
} effects_lines;

/// Who is in front: 0 for nobody, 255 for a person.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  const uint8_t *cells;  // `columns` times `rows`: where they are all 0, or all 255, so are the pixels
  int32_t columns, rows;
  uint8_t *pixels;       // rows of the picture's width, made even by one more of the last
} effects_mask;

/// Numbers that a function needs to work in, for fields or pictures of a width.
size_t effects_room(int32_t width);

/// The means of a picture's colours in cells; rows `first` ..< `last` of the fields.
void effects_reduce(const effects_picture *picture, int32_t factor, const effects_colors *colors, int32_t first, int32_t last);

/// How much cells have changed: mean of the differences to `before`.
void effects_changes(const effects_colors *before, const effects_colors *now, const effects_field *changes, int32_t first,
                     int32_t last);

/// Brings averages nearer to what is now: by the share `least` where little changed around, by all where more than `most` levels did.
/// `share` gets the share.
void effects_settle(const effects_field *changes, float least, float few, float most, const effects_colors *averages,
                    const effects_colors *now, const effects_field *share, int32_t first, int32_t last);

/// From an average towards what is now, by a share for each cell, or the same share for all where that is null; `target` may be either.
void effects_approach(const effects_field *average, const effects_field *now, const effects_field *share, float same,
                      const effects_field *target, int32_t first, int32_t last);

/// Writes colours as a picture of a pixel for each cell; rows `first` ..< `last`, whose first is even.
void effects_write(const effects_colors *colors, const effects_picture *picture, int32_t first, int32_t last);

/// Adds `across[x]` times `down[y]` to each cell.
void effects_glow(const effects_field *field, const float *across, const float *down, int32_t first, int32_t last);

/// Enlarges bytes of a mask to cells, linear in between: cell (x, y) is at (x * scaleX + shiftX, y * scaleY + shiftY) of the mask's
/// pixels, 0 beyond it. Values up to `low` become 0, from `high` on 1. The room is for `width` and three times the field's.
void effects_place(const uint8_t *mask, int32_t width, int32_t height, float scaleX, float shiftX, float scaleY, float shiftY,
                   float low, float high, const effects_field *field, int32_t first, int32_t last, float *room);

/// The lines over colours that fit a mask best in the windows of 9 x 9 cells around each (He, Sun & Tang 2013, equation 19).
void effects_fit(const effects_colors *colors, const effects_field *mask, float variance, const effects_lines *lines,
                 int32_t first, int32_t last, float *room);

/// The mean of a field in windows of 9 x 9 cells.
void effects_mean(const effects_field *field, const effects_field *means, int32_t first, int32_t last, float *room);

/// The mask of cells of these colours, 0 to 255. `centered` gets the base of lines over chroma that counts from these colours.
void effects_cut(const effects_lines *lines, const effects_colors *colors, const effects_field *centered, uint8_t *mask, int32_t first,
                 int32_t last);

/// The mask of a picture's pixels, by its cells and by lines whose base is centered on `colors`; rows `first` ..< `last`, whose first is even. Unless null, `share` says how
/// far the mask moves from `before`, of the same size, to what the lines say.
void effects_matte(const effects_picture *picture, int32_t factor, const effects_lines *lines, const effects_colors *colors,
                   const effects_field *share, const uint8_t *before, const effects_mask *mask, int32_t first, int32_t last,
                   float *room);

/// Sums of weighted colours from the left, in each row: `width + 2 * margin + 1` times four numbers, of which the first `margin + 1`
/// are 0 and the last `margin` as the one before. The weight is `share[mask]` times `gain[luma]`, over 16.
void effects_weigh(const effects_colors *colors, const uint8_t *mask, const uint8_t share[256], const uint8_t gain[256],
                   int32_t margin, uint32_t *sums, int32_t first, int32_t last);

/// Colours blurred by a disc: means by the weights of `effects_weigh`. `spans[k]` is half the width, without the middle, of the disc
/// `k` rows off its middle; `reach` is the last of them, and `margin` more than any. Where the disc holds nothing a cell keeps its own.
/// `weight` gets the mean weight, 1 for 255; or is null.
void effects_disc(const uint32_t *sums, int32_t margin, const int32_t *spans, int32_t reach, const effects_colors *colors,
                  const effects_colors *blurred, const effects_field *weight, int32_t first, int32_t last);

/// Puts a person before a blurred background: pixels of rows `first` ..< `last`, whose first is even.
void effects_portrait(const effects_picture *source, const effects_picture *target, int32_t factor, const effects_mask *mask,
                      const effects_colors *blurred, float strength, int32_t first, int32_t last, float *room);

/// Lights a person, and dims what is behind: luma Y of 0 to 1 becomes Y + L Y (1 - Y) (1 - Y) with L from `light` times the mask.
void effects_light(const effects_picture *source, const effects_picture *target, int32_t factor, const effects_mask *mask,
                   const effects_field *light, float dimming, float black, float span, int32_t first, int32_t last, float *room);

/// What surrounds a person's edge.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  effects_colors person, behind, scenery;  // of the person, of the old background and of the new one, all blurred
  effects_field inside;                    // how much of the surroundings is the person
  float wrap;                              // the share of light that comes around the edge
  int32_t reach;                           // how many cells around are blurred
} effects_surroundings;

/// Puts a person before another background of the same size; the colours of the old one are taken out of the edge.
void effects_replace(const effects_picture *source, const effects_picture *scenery, const effects_picture *target, int32_t factor,
                     const effects_mask *mask, const effects_surroundings *around, int32_t first, int32_t last, float *room);

/// For tests: the plain loops from now on, or again those of the processor. Returns whether wide ones are in use.
int effects_use_plain_loops(int plain);

#endif
