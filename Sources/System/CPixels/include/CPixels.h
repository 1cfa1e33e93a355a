#ifndef CPixels_h
#define CPixels_h

#include <stddef.h>
#include <stdint.h>

// Loops over rows of pixels of four 32-bit numbers: red, green, blue and alpha, in place unless a result is named. Every variant
// gives the same bits; the plain one is the definition. Alpha goes through as it is where nothing else is said.

/// A curve is a table of straight lines, chosen by the upper bits of a number's magnitude: these many bits do not choose, so that
/// seven of the fraction do.
#define PIXELS_CURVE_SHIFT 16
/// What the others of 2⁻²⁰ are, less 1: below it lies one line.
#define PIXELS_CURVE_FIRST 13695
/// The lines from 0 to 4, which as many for 0 to -4 follow.
#define PIXELS_CURVE_LINES 2817
/// The least alpha that counts as 1: what weights that add up to 1 make of it.
#define PIXELS_OPAQUE 0.9999f

/// A matrix, column by column, and what is added: 20 numbers. Alpha is one of the lanes.
void pixels_affine(float *row, size_t count, const float *matrix);

/// Curves by a table for each colour: of 2 × `PIXELS_CURVE_LINES` lines, of each its value at 0 and its slope.
/// Returns how many pixels were done before one with a value that is not below 4, up or down; `count` if there was none.
size_t pixels_curves(float *row, size_t count, const float *red, const float *green, const float *blue);

/// As `pixels_curves` with one table for pixels whose colours are equal, each of which is looked up once.
size_t pixels_gray_curve(float *row, size_t count, const float *table);

/// `share` of the way from each pixel to the other row's; alpha stays.
void pixels_towards(float *row, const float *other, float share, size_t count);

/// Whether alpha is nowhere below `PIXELS_OPAQUE`.
int32_t pixels_are_opaque(const float *row, size_t count);

/// Colours by a table of `dimension`³ times four numbers, red first, linear in between; alpha is multiplied. Colours beyond the
/// table take its edge, or go on as its outermost cells do where `extrapolates` is not 0.
void pixels_cube(float *row, size_t count, const float *table, int32_t dimension, int32_t extrapolates);

/// Opaque pixels from bytes, four a pixel, red at `red` (0 or 2), green second, alpha last: the number of each byte in `table` (256).
/// Returns how many pixels were done before one whose alpha is not 255, where `opaque` is 0; where it is 255 alpha is not read.
size_t pixels_read(const uint8_t *bytes, int32_t red, int32_t opaque, const float *table, float *row, size_t count);

/// Bytes from opaque pixels: `table` has one for each 1/65535 of 0 to 1 and ends where it ends; alpha becomes 255. The places of
/// the four bytes are in `order`.
/// Returns how many pixels were done before one that is not opaque; `count` if there was none.
size_t pixels_write(const float *row, const uint8_t *table, const int32_t order[4], uint8_t *bytes, size_t count);

/// One row of the half from four of the whole: (1 3 3 1) / 8.
void pixels_halve_rows(const float *a, const float *b, const float *c, const float *d, float *result, size_t count);
/// A row of the half from a row of the whole, which begins one pixel earlier.
void pixels_halve(const float *row, float *result, size_t count);
/// One row of the whole from two of the half: three quarters of the nearer.
void pixels_double_rows(const float *near, const float *far, float *result, size_t count);
/// `count` pairs of pixels of the whole from pixels of the half, which has one more on each side.
void pixels_double(const float *row, float *result, size_t count);

/// The mean of each pixel and its neighbours `step` pixels apart, by weights from the middle outwards.
void pixels_mean(const float *row, ptrdiff_t step, const float *weights, size_t reach, float *result, size_t count);

/// For tests: whether only the plain loops are used. Returns 1 if others are.
int pixels_use_plain_loops(int plain);

#endif
