// From fields to the pixels of a picture: two rows of luma and one of chroma at a time; a part of Loops.h.

enum { kPad = 32 };

/// Row `index` of the memory to work in.
INLINE float *row_of(float *room, int index, int width) { return room + (ptrdiff_t)index * (width + 4 * kPad) + kPad; }

/// Thresholds of rounding, so that slow gradients do not become bands (Bayer 1973).
static const uint8_t thresholds[8][8] = {{0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
                                         {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
                                         {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
                                         {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21}};
INLINE eight rounding(int y) {
  octets a;
  memcpy(&a, thresholds[y & 7], 8);
  return __builtin_convertvector(a, eight) * (1.0f / 64) + 1.0f / 128;
}

/// Writes pixels between cells, for factors that `at` does not know.
static void enlarge(const float *p, int count, int factor, float *row) {
  const float first = factor % 2 ? 0 : 0.5f, step = 1 / (float)factor;
  quad shares[4];
  const int groups = (factor + 3) / 4;
  for (int k = 0; k < groups; k++) shares[k] = ((quad){0, 1, 2, 3} + (first + 4 * (float)k)) * step;
  // Each way from cell to cell overwrites what the one before wrote too much.
  for (int i = -1; i < count; i++) {
    const quad a = p[i], way = (quad)p[i + 1] - a;
    float *out = row + i * factor + factor / 2;
    for (int k = 0; k < groups; k++) {
      const quad b = a + way * shares[k];
      memcpy(out + 4 * k, &b, 16);
    }
  }
}

INLINE int is_known(int factor) { return factor == 1 || factor == 2 || factor == 4 || factor == 8; }

/// A row of a field for pixels of row `y`, whose middle lies between two rows of cells: read it with `at`.
static void line_of(const effects_field *f, int y, int factor, float *scratch, float *row) {
  const float v = ((float)y - (float)(factor - 1) / 2) / (float)factor;
  const int top = v < 0 ? -1 : (int)v;
  const float down = v - (float)top;
  const float *a = cells(f, inside(top, f->height)), *b = cells(f, inside(top + 1, f->height));
  float *line = is_known(factor) ? row : scratch;
  for (int x = 0; x < f->width; x += 8) write8(line + x, read8(a + x) + (read8(b + x) - read8(a + x)) * down);
  line[-1] = line[0];
  for (int x = 0; x < 8; x++) line[f->width + x] = line[f->width - 1];
  if (line != row) enlarge(line, f->width, factor, row);
}

/// Eight pixels of a row, linear between the middles of cells. The factor is constant where this is called, 0 for any other.
INLINE eight at(const float *line, int factor, int x) {
  eight near, far, share;
  switch (factor) {
  case 2:
    near = read8(line + x / 2 - 1);
    far = __builtin_shufflevector(near, near, 1, 2, 2, 3, 3, 4, 4, 5);
    near = __builtin_shufflevector(near, near, 0, 1, 1, 2, 2, 3, 3, 4);
    share = (eight){0.75f, 0.25f, 0.75f, 0.25f, 0.75f, 0.25f, 0.75f, 0.25f};
    break;
  case 4:
    near = read8(line + x / 4 - 1);
    far = __builtin_shufflevector(near, near, 1, 1, 2, 2, 2, 2, 3, 3);
    near = __builtin_shufflevector(near, near, 0, 0, 1, 1, 1, 1, 2, 2);
    share = (eight){0.625f, 0.875f, 0.125f, 0.375f, 0.625f, 0.875f, 0.125f, 0.375f};
    break;
  case 8:
    near = read8(line + x / 8 - 1);
    far = __builtin_shufflevector(near, near, 1, 1, 1, 1, 2, 2, 2, 2);
    near = __builtin_shufflevector(near, near, 0, 0, 0, 0, 1, 1, 1, 1);
    share = (eight){0.5625f, 0.6875f, 0.8125f, 0.9375f, 0.0625f, 0.1875f, 0.3125f, 0.4375f};
    break;
  default: return read8(line + x);
  }
  return near + (far - near) * share;
}

/// Runs an effect's loop with its factor as a constant.
#define FOR_FACTOR(loop, ...) \
  switch (factor) { \
  case 2: return loop(__VA_ARGS__, 2, 1); \
  case 4: return loop(__VA_ARGS__, 4, 2); \
  case 8: return loop(__VA_ARGS__, 8, 4); \
  default: return loop(__VA_ARGS__, 0, 0); \
  }

/// A part of two rows.
typedef struct {
  int from, to;             // cells
  int left, right;          // pixels of luma
  int halfLeft, halfRight;  // pixels of chroma
} part_t;

enum { kPart = 16 };
typedef enum { kNobody, kPerson, kEdge } kind_t;

/// Whether a person's edge may run through a part of two rows, or one of the `margin` cells around it.
static kind_t kind_of(const effects_mask *m, int factor, const part_t *part, int y, int margin) {
  const int width = m->columns, height = m->rows;
  const int top = inside((y - factor / 2) / factor - margin, height), bottom = inside((y + 1 + factor / 2) / factor + margin, height);
  const int left = inside(part->from - 1 - margin, width), right = inside(part->to + margin, width);
  const uint8_t *row = m->cells + (ptrdiff_t)top * width, one = row[left];
  if (one != 0 && one != 255) return kEdge;
  for (int i = top; i <= bottom; i++, row += width) {
    int other = 0;
    for (int x = left; x <= right; x++) other |= row[x] ^ one;
    if (other) return kEdge;
  }
  return one ? kPerson : kNobody;
}

/// Part `index` of the rows.
static part_t part_of(const effects_picture *p, const effects_mask *m, int factor, int index) {
  part_t a = {.from = index * kPart};
  a.to = m->columns - a.from < kPart ? m->columns : a.from + kPart;
  const int wide = (p->width + 1) / 2;
  a.left = a.from * factor;
  a.right = a.to * factor < p->width ? a.to * factor : p->width;
  a.halfLeft = a.left / 2;
  a.halfRight = a.to * factor / 2 < wide ? a.to * factor / 2 : wide;
  return a;
}
INLINE int parts_of(const effects_mask *m) { return (m->columns + kPart - 1) / kPart; }

/// Rows to work in.
typedef struct {
  float *scratch, *row[16];
} rows_t;

static rows_t rows_in(float *room, int width) {
  rows_t r = {.scratch = row_of(room, 0, width)};
  for (int k = 0; k < 16; k++) r.row[k] = row_of(room, k + 1, width);
  return r;
}

INLINE int even(int width) { return (width + 1) / 2 * 2; }

/// The mask of eight pixels.
INLINE eight alpha_of(const effects_mask *m, const effects_picture *p, int x, int y) {
  const int width = even(p->width);
  return read_bytes(m->pixels + (ptrdiff_t)y * width + x, width - x) * (1.0f / 255);
}

/// The mask of eight pairs of chroma, from the two rows of pixels that they cover.
INLINE eight half_alpha_of(const effects_mask *m, const effects_picture *p, int x, int y) {
  const int width = even(p->width);
  const uint8_t *upper = m->pixels + (ptrdiff_t)y * width + 2 * x, *lower = y + 1 < p->height ? upper + width : upper;
  eight a, b, c, d;
  read_pairs(upper, width / 2 - x, &a, &b);
  read_pairs(lower, width / 2 - x, &c, &d);
  return ((a + b) + (c + d)) * (0.25f / 255);
}

/// Copies a part of two rows of luma, and of the row of chroma between them.
static void copy(const effects_picture *p, const effects_picture *t, const part_t *part, int y) {
  for (int k = 0; k < 2 && y + k < p->height; k++)
    memcpy(t->luma + (y + k) * t->lumaStride + part->left, p->luma + (y + k) * p->lumaStride + part->left,
           (size_t)(part->right - part->left));
  memcpy(t->chroma + y / 2 * t->chromaStride + 2 * part->halfLeft, p->chroma + y / 2 * p->chromaStride + 2 * part->halfLeft,
         2 * (size_t)(part->halfRight - part->halfLeft));
}
