// Values that belong to cells of 16 x 16 pixels, read in between; a part of Loops.h.

/// Sixteen-bit samples of a part and its surroundings.
typedef struct {
  int16_t *base;
  ptrdiff_t stride;
} field;

/// A row of values for `width` samples from `first` on, a multiple of 16, between the middles of the cells of 16 samples and
/// `tall` rows.
static void read_cells(const int16_t *cells, int columns, int rows, int tall, int first, int y, int width, int16_t *out) {
  static const int16_t ramp[16] = {17408, 19456, 21504, 23552, 25600, 27648, 29696, 31744,
                                   1024,  3072,  5120,  7168,  9216,  11264, 13312, 15360};
  int line = 2 * y + 1 - tall;  // from the first middle, in 1 / (2 * tall)
  int upper = line < 0 ? 0 : line / (2 * tall), share = line < 0 ? 0 : line % (2 * tall);
  if (upper >= rows - 1) upper = rows - 1, share = 0;
  const int16_t *a = cells + upper * columns, *b = upper + 1 < rows ? a + columns : a;
  int16_t line_values[FUSION_DEVELOP_WIDTH / 16 + 2];
  int count = (width + 15) / 16, cell = first / 16;
  for (int i = 0; i < count + 2; i++) {
    int column = held(cell - 1 + i, columns);
    line_values[i] = (int16_t)((a[column] * (2 * tall - share) + b[column] * share) / (2 * tall));
  }
  for (int i = 0; i < count; i++) {
    // The left half lies between this middle and the one before, the right half between this and the next.
    const int16_t *v = line_values + i;
    int16_t lower[4] = {v[0], v[0], v[1], v[1]}, higher[4] = {v[1], v[1], v[2], v[2]};
    lanes from = spread(lower), to = spread(higher);
    write16(out + 16 * i, plus(from, times(minus(to, from), read16(ramp))));
  }
}
