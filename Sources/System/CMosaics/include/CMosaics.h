#ifndef CMosaics_h
#define CMosaics_h

#include <stddef.h>
#include <stdint.h>

// Loops over rows of a mosaic of red, green and blue. Rows of floats have `MOSAICS_EDGE` numbers before their first pixel and behind
// their last, which the loops read; a row's pointer is that of its first pixel. Every variant gives the same numbers but for the
// order of sums.

/// Numbers that a row has beyond each of its ends.
#define MOSAICS_EDGE 8

/// What one row's numbers mean: a table for its even columns and one for its odd ones, of `limit` + 1 floats each. Numbers above `limit`
/// are that. Mirrors the ends, so that the colours go on.
void mosaics_code(const uint16_t *numbers, const float *even, const float *odd, uint16_t limit, float *row, size_t count);

/// Numbers of 10, 12 or 14 bits as MIPI CSI-2 packs them: 4 in 5 bytes, 2 in 3, 4 in 7.
void mosaics_unpack10(const uint8_t *bytes, uint16_t *numbers, size_t count);
void mosaics_unpack12(const uint8_t *bytes, uint16_t *numbers, size_t count);
void mosaics_unpack14(const uint8_t *bytes, uint16_t *numbers, size_t count);
/// Numbers of 8 bits.
void mosaics_unpack8(const uint8_t *bytes, uint16_t *numbers, size_t count);

/// How much the picture changes along its rows and along its columns, at each place of the middle one of five rows.
void mosaics_changes(const float *const rows[5], float *across, float *down, size_t count);

/// Green everywhere, and what red or blue exceed it by where the middle one of five rows has these; 0 elsewhere. `first` is the first
/// column that is not green, 0 or 1; changes are those of three rows.
void mosaics_green(const float *const rows[5], const float *const across[3], const float *const down[3], size_t first, float *green, float *excess, size_t count);

/// A developed row: three numbers a pixel in rows of their own, linear, by the matrix (row by row).
///
/// Excesses are those of three rows; `own` is the colour that the middle row has, 0 red or 2 blue. `offset` is what the code added
/// before its root; what exceeds 1 is cut off before the matrix.
void mosaics_colors(const float *green, const float *const excess[3], int32_t own, float offset, const float matrix[9], float *const result[3], size_t count);

/// Four bytes a pixel, blue first, opaque: `table` has one for each 1/16383 of 0 to 1.
void mosaics_bytes(const float *const colors[3], const uint8_t *table, uint8_t *bytes, size_t count);

/// Four floats a pixel, red first, opaque.
void mosaics_floats(const float *const colors[3], float *pixels, size_t count);

/// For tests: whether only the plain loops are used. Returns 1 if others are.
int mosaics_use_plain_loops(int plain);

#endif
