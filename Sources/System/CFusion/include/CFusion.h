#ifndef CFusion_h
#define CFusion_h

#include <stddef.h>
#include <stdint.h>

// The inner loops of FrameFusion. They are integer arithmetic on blocks of 16 x 16 samples, so that every machine and every
// variant gives the same bytes; the plain variant is the definition.
//
// Inside a block a sample has 14 bits: an 8-bit level times 64, a 10-bit level times 16. Energies are sums of squares of
// eighths of an 8-bit level. Motion is in 1/64 of a sample of its plane.

/// A plane in memory; pixels are luma samples, or pairs of chroma samples. Threads share its address, and agree on who writes.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  uint8_t *base;
  ptrdiff_t stride;  // bytes from row to row
  int32_t width;     // pixels
  int32_t height;
  int32_t bytes;  // of a sample: 1, or 2 with the bits on top
  int32_t step;   // samples of a pixel: 1, or 2 for pairs
} fusion_plane;

#define FUSION_BLOCK 256
#define FUSION_MOTIONS 6

/// A block of the reference that frames are compared with.
typedef struct {
  int16_t samples[FUSION_BLOCK];
  int16_t dx[FUSION_BLOCK];
  int16_t dy[FUSION_BLOCK];
  float xx, xy, yy;  // sums of products of the gradients
  int32_t mean;      // 8-bit level
} fusion_tile;

/// How a frame differs from a tile at one motion.
typedef struct {
  float energy;
  float bx, by;  // sums of the gradients times the difference
} fusion_residual;

/// The best of the motions that were tried, in whole samples.
typedef struct {
  int32_t dx, dy, sad;
} fusion_match;

/// The sum that a block of the result grows from.
typedef struct {
  int16_t samples[FUSION_BLOCK];  // the reference
  int16_t sum[FUSION_BLOCK];      // weighted differences
  int16_t weight[FUSION_BLOCK];   // 1/512
} fusion_sum;

/// Halves rows `first` ..< `last` of the target, each pixel the mean of four; the target has one byte a sample.
void fusion_halve(const fusion_plane *source, const fusion_plane *target, int first, int last);
/// The upper bytes of 16-bit samples, rows `first` ..< `last`.
void fusion_narrow(const fusion_plane *source, const fusion_plane *target, int first, int last);

/// Reads the block at (x, y), which may reach outside the picture: the edge goes on. With gradients (Sobel) for planes of step 1.
void fusion_read_tile(const fusion_plane *plane, int x, int y, fusion_tile *tile);
/// Compares the tile at (x, y) with `plane` at a motion.
void fusion_compare(const fusion_tile *tile, const fusion_plane *plane, int x, int y, int mx, int my,
                    fusion_residual *result);
/// Finds the best match of 16 x 16 samples within `radius` (at most 11) of (dx, dy); of two-byte samples the upper bytes. `penalty` is added for each sample of distance.
void fusion_search(const fusion_plane *reference, const fusion_plane *plane, int x, int y, int dx, int dy, int radius,
                   int penalty, fusion_match *best);
/// The sum of absolute differences of two planes of one byte a sample at a motion in whole samples, where both have pixels, each
/// `rowStep`-th row. Writes how many samples were compared.
int64_t fusion_plane_sad(const fusion_plane *reference, const fusion_plane *plane, int dx, int dy, int rowStep,
                         int64_t *count);

/// How much of the noise's variance `fusion_predict` leaves at a motion.
float fusion_noise_gain(int mx, int my);

/// Begins a sum with the reference's block.
void fusion_begin(const fusion_plane *plane, int x, int y, int rows, fusion_sum *sum);
/// Means (8-bit levels) of the blocks of 4 x 4 samples.
void fusion_block_means(const fusion_sum *sum, uint8_t means[16]);
/// The law of weights: how much a frame counts whose difference from the reference has `energy`, in expected energies of noise.
/// 1 up to `margin`, 1 / (1 + slope * (energy - margin)) above, nothing from `end` on.
typedef struct {
  float margin, slope, end;
} fusion_law;

/// A motion, and the corners of the block whose tiles have it (bits: upper left, upper right, lower left, lower right); none for
/// a motion of tiles around, which serves where no other does.
typedef struct {
  int32_t mx, my;
  int32_t corners;
  float scale;  // 1 / (1 + the noise's gain)
} fusion_motion;

/// Moves a block of 16 samples x `rows` (16 / step pixels wide) from `plane` to (x, y) by up to six motions, which share the corners,
/// and adds them to the sum.
///
/// Each is weighted in 4 x 4 blocks of 4 x (rows / 4) samples, by their energies times `scales` times its `scale`, and by the windows of
/// its corners; where only some of the motions fit, these have the shares of the others. No weight (1/32768) is above `limits`, sixteen
/// for each motion, where given; all are left in `weights`.
void fusion_add(const fusion_plane *plane, int x, int y, const fusion_motion *motions, int count, int rows,
                const float scales[16], const fusion_law *law, const int16_t *limits, int16_t *weights, fusion_sum *sum);
/// Writes the block's weighted mean to (x, y) of `target`, where this has pixels.
void fusion_finish(const fusion_sum *sum, int rows, const fusion_plane *target, int x, int y);

#define FUSION_SCALES 3
#define FUSION_DEVELOP_WIDTH 256   // samples, halved for pairs
#define FUSION_DEVELOP_HEIGHT 64
#define FUSION_DEVELOP_STRIDE 400  // with what lies around pairs
/// 16-bit numbers that `fusion_develop` works in: five fields of STRIDE x (HEIGHT + 28).
#define FUSION_DEVELOP_ROOM 184000

/// The strength of denoising and sharpening at three scales, of one and two and four samples.
typedef struct {
  int16_t gain[FUSION_SCALES];    // 1/32768: what a scale has of the noise's deviation
  int16_t shrink[FUSION_SCALES];  // 1/8192: details below so many deviations are taken away
  int16_t raise[FUSION_SCALES];   // 1/32768: by which details above two deviations are raised
  int16_t cap;                    // 1/64 levels: the most that is added to a detail
} fusion_development;

/// By how much luma is lifted, and chroma with it: see Tone.h.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  fusion_plane luma;       // which chroma follows: that of the source
  const int16_t *slopes;   // of cells of 16 x 16 pixels; null for one curve
  const int16_t *offsets;  // 1/4096
  int16_t black, span;     // of luma, 1/64 levels
  int16_t unit;            // 8192 * 32768 / span
  int16_t most;            // 1/4096
} fusion_tone;

/// Denoises and sharpens the part of `source` at (x, y), no larger than FUSION_DEVELOP_WIDTH samples and FUSION_DEVELOP_HEIGHT rows, into
/// `target`, another memory; before it is rounded its tones are mapped, unless `tone` is null.
///
/// `cells` are the deviations of noise, in 1/64 levels, of parts of 16 samples and `tall` rows of the plane, `columns` times `rows`.
void fusion_develop(const fusion_plane *source, const fusion_plane *target, int x, int y, int width, int height,
                    const fusion_development *how, const int16_t *cells, int columns, int rows, int tall,
                    const fusion_tone *tone, int16_t *room);
/// Moves a block of 16 samples x `rows` from `plane` to (x, y) of `target`, where this has pixels.
void fusion_move(const fusion_plane *plane, int x, int y, int mx, int my, int rows, const fusion_plane *target);
/// Writes the part of `picture` at (x, y) to `target`, another memory, with details (what a spline of two scales smooths away) that have
/// the shares `cells` (1/32768) of those of `detail`; sizes, cells and room are as for `fusion_develop`.
void fusion_transfer(const fusion_plane *picture, const fusion_plane *detail, const fusion_plane *target, int x, int y,
                     int width, int height, const int16_t *cells, int columns, int rows, int tall, int16_t *room);
/// The variance of what a tile has of noise and fine texture, by differences of second order, in squares of levels.
float fusion_tile_noise(const fusion_tile *tile, int step);

/// The mean of the weights, in frames beside the reference.
float fusion_mean_weight(const fusion_sum *sum, int rows);

/// Luma and chroma pairs of packed 4:2:2 and back; rows `first` ..< `last`.
void fusion_unpack(const uint8_t *packed, ptrdiff_t stride, int lumaFirst, const fusion_plane *luma,
                   const fusion_plane *chroma, int first, int last);
void fusion_pack(uint8_t *packed, ptrdiff_t stride, int lumaFirst, const fusion_plane *luma, const fusion_plane *chroma,
                 int first, int last);

/// For tests: the plain loops from now on, or again those of the processor. Returns whether wide ones are in use.
int fusion_use_plain_loops(int plain);

#endif
