#ifndef CPAINTING_H
#define CPAINTING_H

#include <stdbool.h>
#include <stdint.h>

// The inner loops of simulated cameras: what is done for each pixel of a picture of twelve millions.
//
// They are in C because a package is built without an optimizer when its client's tests are, and Swift then takes a
// hundred times as long for a pixel; C without an optimizer keeps vectors in registers within an expression.
// A colour is four floats: red, green, blue and alpha, premultiplied, or luma, two differences and alpha. Memory of
// colours is `void *` and aligned to 16 bytes, memory of coded colours is four bytes each.

// MARK: Drawings

/// Pixels side by side: the drawing's coordinates of the first, the step to the next, and the width of a pixel.
struct painting_run {
  float u, v, du, dv, pixel;
};

/// Each lays a row of a drawing over `count` colours; a relief is how far each place stands out, NaN where nothing is: of a
/// ball in widths of the drawing, of the room in metres before its wall, whose distance is `depth`.
void painting_room(struct painting_run run, void *colors, long count);
void painting_ball(
    struct painting_run run, float red, float green, float blue, float skin, bool has_stalk, void *colors,
    long count);
void painting_ball_relief(struct painting_run run, float *widths, long count);
void painting_room_relief(struct painting_run run, float depth, float *metres, long count);
void painting_vase(struct painting_run run, void *colors, long count);
void painting_shadow(struct painting_run run, void *colors, long count);
void painting_chart(struct painting_run run, void *colors, long count);
void painting_landscape(struct painting_run run, void *colors, long count);
void painting_face(struct painting_run run, void *colors, long count);
void painting_plain(
    struct painting_run run, float red, float green, float blue, bool is_endless, void *colors, long count);
void painting_disc(struct painting_run run, void *colors, long count);

/// `modules` are a byte each, 1 is dark, row by row; around them lies a zone of `quiet` light ones. Bars have one row of
/// modules, which is painted `rows` times.
struct painting_modules {
  const uint8_t *modules;
  int columns, rows, quiet;
  bool is_linear;
};
void painting_code(struct painting_run run, const struct painting_modules *code, void *colors, long count);

/// A sheet of paper with lines of dots: line number `i` is `counts[i]` columns from `columns[starts[i]]` on, each a
/// byte whose lowest bit is at the top. The first line is twice as large.
struct painting_sheet {
  const uint8_t *columns;
  const int32_t *starts;
  const int32_t *counts;
  int lines;
  float width, height, margin, line_height;
};
void painting_page(struct painting_run run, const struct painting_sheet *page, void *colors, long count);

/// A picture of `width` by `height` coded colours; beyond its edges there is nothing, or the edge goes on.
void painting_picture(
    struct painting_run run, const void *pixels, int width, int height, bool goes_on, void *colors, long count);

// MARK: People

/// What a limb is made of; a cap is hair that leaves the face free.
enum painting_part { painting_skin, painting_head, painting_hair, painting_cap, painting_sleeve, painting_shirt };

/// A sphere that moves from one place to another and grows or shrinks on its way, in metres of the figure: x to the right,
/// y down, z towards the viewer.
struct painting_limb {
  float x, y, z;
  /// From the start to the end.
  float dx, dy, dz;
  float radius, growth;
  /// What x and z are multiplied by around the start: an egg rather than a sphere.
  float wide, deep;
  /// Over how many metres of depth it flows into what lies behind it and is of its kind.
  float blend;
  /// How far its rim fades into that: from 0, a sharp rim, to 1, a swelling of it and nothing else.
  float soft;
  /// How far its soft shadow falls on what lies behind it.
  float reach;
  enum painting_part part;
};

/// A person, drawn in a rectangle of `width` by `height` metres whose upper left corner is at `left`, `top`.
struct painting_figure {
  float left, top, width, height;
  /// Those farther away first.
  const struct painting_limb *limbs;
  int count;
  /// Red, green, blue and room.
  float skin[4], hair[4], clothes[4], iris[4];
  /// The head's middle, and its axes to the right, down and forwards.
  float head[4], right[4], down[4], forwards[4];
  /// How open the eyes are, how much the mouth smiles, 0 to 1, and where the eyes look, in metres.
  float open, smile, gaze_x, gaze_y;
  /// The lower end of the hair on the forehead, how far it falls at the temples, and where it is parted; in metres of the head.
  float fringe, temples, parting;
  /// The middle of the neckline and how far it is open around it, in metres of the figure.
  float neckline_x, neckline_y, neckline;
};
void painting_person(struct painting_run run, const struct painting_figure *figure, void *colors, long count);

/// Lays grey over `count` colours: white where a person's skin is to be seen, or its hair; black is all else of it.
enum painting_share { painting_skin_share, painting_hair_share };
void painting_person_share(
    struct painting_run run, const struct painting_figure *figure, enum painting_share share, void *colors, long count);

/// Writes how far each place stands out towards the viewer, in metres; NaN where the person covers half of it or less.
void painting_person_relief(
    struct painting_run run, const struct painting_figure *figure, float *metres, long count);

// MARK: Layers

/// Lays black that is as opaque as `count` colours over others.
void painting_lay_black(const void *colors, void *over, long count);

/// Turns colours into coded colours.
void painting_pack(const void *colors, void *pixels, long count);

/// Turns coded colours into colours; `tones` says what a byte of red becomes, then of green, then of blue: 256 each; `NULL` is itself.
void painting_unpack(const void *pixels, const float *tones, void *colors, long count);

/// Columns of a frame that are read out of a layer: `count` from `first` on, held to `0..<limit`.
struct painting_columns {
  long first, count, limit;
};

/// Reads a row between two rows of colours: column x of the frame lies at `start + x * step` on them, `fy` of the way
/// from the upper to the lower one.
void painting_sample(
    const struct painting_columns *columns, double start, double step, const void *upper, const void *lower, float fy,
    long row_length, void *result);

/// How a lens bends a row of the frame whose `columns` are read; all but `bending` in pixels.
struct painting_bend {
  double half_width, dy, crop, bending, corner, scale, canvas_width, canvas_height;
};

/// One layer: the rectangle of coded colours that it covers of a canvas.
struct painting_raster {
  const void *pixels;
  long left, top, width, height;
  long canvas_width, canvas_height;
  /// As those of `painting_unpack`.
  const float *tones;
};
void painting_sample_bent(
    const struct painting_columns *columns, const struct painting_bend *bend, const struct painting_raster *raster,
    void *result);

/// Lays colours over others.
void painting_lay(const void *colors, void *over, long count);

/// Blurs a row along itself: a box of 2 * `whole` + 1, and `part` of the colours beyond it; the result's colours are
/// `step` apart.
void painting_blur(const void *source, long count, long whole, float part, float scale, void *target, long step);

/// Adds to, or takes from, sums.
void painting_add(void *sums, const void *colors, long count);
void painting_subtract(void *sums, const void *colors, long count);

/// Adds a row to sums, and writes what a blur across rows makes of them.
void painting_blur_rows(
    void *sums, const void *entering, const void *above, const void *below, float part, float scale, void *result,
    long count);

// MARK: Luma and colour differences

/// From colours to luma and differences: the weights of red, green and blue, and what the differences are multiplied by.
struct painting_matrix {
  float red, green, blue, cb, cr;
  /// From sRGB to linear light, and from its root to Display P3, each 1026 values; `NULL` for sRGB.
  const float *to_linear, *to_coded;
};

/// Turns colours into luma, differences around 0 and alpha, in units of 1/255.
void painting_planar(const struct painting_matrix *matrix, void *colors, long count);

/// Writes two rows of luma and the row of differences that they share out of such colours.
void painting_luma(const void *planar, uint8_t *luma, long count);
void painting_chroma(const void *top, const void *bottom, uint8_t *chroma, long count);

/// Lays two rows of such colours over two rows of luma and the row of differences that they share.
void painting_lay_rows(
    const void *top, const void *bottom, long pairs, uint8_t *luma, uint8_t *next_luma, uint8_t *chroma);

/// A picture in luma, differences and alpha that is laid over a row pair, its upper left corner at `left`, `top`, and
/// moved on by fractions of a pixel.
struct painting_sprite {
  const void *pixels;
  long width, height;
  long left, top;
  float x, y;
};
void painting_lay_sprite(
    const struct painting_sprite *sprite, long row, long width, uint8_t *luma, uint8_t *next_luma, uint8_t *chroma);

// MARK: The sensor

/// One row of bytes seen from a place a little to the right and below, in 256ths of a pixel; pixels are `step` bytes.
struct painting_shift {
  long column, x, y;
};
void painting_shift_row(
    const struct painting_shift *shift, const uint8_t *upper, const uint8_t *lower, long columns, long step,
    uint8_t *target);

/// The tables of coded values that multiply linear red, green and blue, in quarters of a level.
struct painting_balance {
  const float *red, *green, *blue;
  float red_from_cr, green_from_cb, green_from_cr, blue_from_cb;
  struct painting_matrix matrix;
};
void painting_balance_rows(
    const struct painting_balance *balance, uint8_t *luma, uint8_t *next_luma, uint8_t *chroma, long count);

/// Exposes a row of luma: `table` has 256 values for each input, one of which chance picks.
void painting_expose_luma(const uint8_t *source, const uint8_t *table, uint64_t noise, long count, uint8_t *target);

/// Exposes a row of pairs of differences, whose gain and noise follow the luma above them; without `noises` there is none.
void painting_expose_chroma(
    const uint8_t *source, const uint8_t *luma, const int32_t *gains, const int32_t *noises, const int32_t *quantiles,
    uint64_t noise, long count, uint8_t *target);

/// A sensor behind a mosaic of filters: of each of its colours, 0 to 2, how much linear red, green and blue it sees (`weights`), and
/// which of them the upper left four photosites see (`colors`). Light of `to_linear`'s 256 codes that is 1 gives the number `white`.
/// Its variance is `shot` times the light plus `read`.
struct painting_sensor {
  const float *weights;
  const uint8_t *colors;
  const float *to_linear;
  const int32_t *quantiles;
  float red_from_cr, green_from_cb, green_from_cr, blue_from_cb;
  float shot, read, black, white;
};

/// The numbers of row `row` of a mosaic of `count` photosites, an even number of them, of a picture without noise.
void painting_mosaic_row(const struct painting_sensor *sensor, const uint8_t *luma, const uint8_t *chroma, long row, uint64_t noise, long count, uint16_t *target);

#endif
