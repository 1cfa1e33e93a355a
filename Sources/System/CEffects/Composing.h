// Effects in front of and behind a person; a part of Loops.h.

/// Lines 0 and 1 are blurred luma, 2 and 3 chroma.
INLINE void portrait_part(const effects_picture *p, const effects_picture *t, const effects_mask *m, const part_t *part, int y, const rows_t *r, float strength, const int factor, const int half) {
  const int width = p->width, wide = (width + 1) / 2;
  for (int k = 0; k < 2 && y + k < p->height; k++) {
    const uint8_t *from = p->luma + (y + k) * p->lumaStride;
    uint8_t *to = t->luma + (y + k) * t->lumaStride;
    const eight round = rounding(y + k);
    for (int x = part->left; x < part->right; x += 8) {
      const eight a = read_bytes(from + x, width - x), b = at(r->row[k], factor, x);
      write_bytes(to + x, level(a + (b - a) * ((1 - alpha_of(m, p, x, y + k)) * strength) + round), part->right - x);
    }
  }
  const uint8_t *from = p->chroma + (y / 2) * p->chromaStride;
  uint8_t *to = t->chroma + (y / 2) * t->chromaStride;
  const eight round = rounding(y / 2);
  for (int x = part->halfLeft; x < part->halfRight; x += 8) {
    eight u, v;
    read_pairs(from + 2 * x, wide - x, &u, &v);
    const eight share = (1 - half_alpha_of(m, p, x, y)) * strength;
    write_pairs(to + 2 * x, level(u + (at(r->row[2], half, x) - u) * share + round),
                level(v + (at(r->row[3], half, x) - v) * share + round), part->halfRight - x);
  }
}

static void portrait_any(const effects_picture *p, const effects_picture *t, int factor, const effects_mask *m, const part_t *part,
                         int y, const rows_t *r, float strength) {
  FOR_FACTOR(portrait_part, p, t, m, part, y, r, strength)
}

static void portrait(const effects_picture *p, const effects_picture *t, int32_t factor, const effects_mask *m,
                     const effects_colors *blurred, float strength, int32_t first, int32_t last, float *room) {
  const rows_t r = rows_in(room, p->width);
  for (int y = first; y < last; y += 2) {
    for (int k = 0; k < 2; k++) line_of(&blurred->luma, inside(y + k, p->height), factor, r.scratch, r.row[k]);
    line_of(&blurred->blue, y / 2, factor / 2, r.scratch, r.row[2]);
    line_of(&blurred->red, y / 2, factor / 2, r.scratch, r.row[3]);
    for (int i = 0; i < parts_of(m); i++) {
      const part_t part = part_of(p, m, factor, i);
      if (kind_of(m, factor, &part, y, 0) == kPerson) copy(p, t, &part, y);
      else portrait_any(p, t, factor, m, &part, y, &r, strength);
    }
  }
}

typedef struct {
  float dimming, black, span;
} lamp_t;

/// Lines 0 and 1 are the light; rows 2 and 3 get by how much luma grows.
INLINE void light_part(const effects_picture *p, const effects_picture *t, const effects_mask *m, const part_t *part, int y, const rows_t *r, const lamp_t *lamp, const int factor, const int half) {
  const int width = p->width, wide = (width + 1) / 2;
  (void)half;
  for (int k = 0; k < 2; k++) {
    const int row = inside(y + k, p->height);
    const uint8_t *from = p->luma + row * p->lumaStride;
    uint8_t *to = t->luma + row * t->lumaStride;
    const eight round = rounding(row);
    for (int x = part->left; x < part->right; x += 8) {
      const eight alpha = alpha_of(m, p, x, row), a = read_bytes(from + x, width - x);
      const eight rest = 1 - unit((a - lamp->black) * (1 / lamp->span));
      const eight grown = (1 + at(r->row[k], factor, x) * alpha * rest * rest) * (1 - lamp->dimming * (1 - alpha));
      write8(r->row[2 + k] + x, grown);
      write_bytes(to + x, level(a + (a - lamp->black) * (grown - 1) + round), part->right - x);
    }
    r->row[2 + k][width] = r->row[2 + k][width - 1];
  }
  const uint8_t *from = p->chroma + (y / 2) * p->chromaStride;
  uint8_t *to = t->chroma + (y / 2) * t->chromaStride;
  const eight round = rounding(y / 2);
  for (int x = part->halfLeft; x < part->halfRight; x += 8) {
    // Chroma grows less, or skin turns red.
    const eight grown = (mean_of_pairs(r->row[2] + 2 * x, r->row[3] + 2 * x) - 1) * 0.5f;
    eight u, v;
    read_pairs(from + 2 * x, wide - x, &u, &v);
    write_pairs(to + 2 * x, level(u + (u - 128) * grown + round), level(v + (v - 128) * grown + round), part->halfRight - x);
  }
}

static void light_any(const effects_picture *p, const effects_picture *t, int factor, const effects_mask *m, const part_t *part,
                      int y, const rows_t *r, const lamp_t *lamp) {
  FOR_FACTOR(light_part, p, t, m, part, y, r, lamp)
}

static void light(const effects_picture *p, const effects_picture *t, int32_t factor, const effects_mask *m,
                  const effects_field *gain, float dimming, float black, float span, int32_t first, int32_t last, float *room) {
  const rows_t r = rows_in(room, p->width);
  const lamp_t lamp = {dimming, black, span};
  for (int y = first; y < last; y += 2) {
    for (int k = 0; k < 2; k++) line_of(gain, inside(y + k, p->height), factor, r.scratch, r.row[k]);
    for (int i = 0; i < parts_of(m); i++) {
      const part_t part = part_of(p, m, factor, i);
      light_any(p, t, factor, m, &part, y, &r, &lamp);
    }
  }
}

/// A person's colour at the edge, in front of the new background.
///
/// The person's own is Forte's estimate (2021, "Approximate fast foreground colour estimation"): what is around, corrected by what the
/// pixel lacks.
INLINE eight replaced(eight pixel, eight alpha, eight person, eight behind, eight scenery, eight around, eight wrap, int brightens) {
  eight own = level(person + alpha * (pixel - alpha * person - (1 - alpha) * behind));
  const eight more = around - own;
  own += (brightens ? most(more, (eight)0) : more) * wrap;
  return scenery + (own - scenery) * alpha;
}

/// Lines k, 2 + k, 4 + k and 6 + k are luma of person, behind and scenery, and the inside; then chroma in the same order.
INLINE void replace_part(const effects_picture *p, const effects_picture *s, const effects_picture *t, const effects_mask *m,
                         const part_t *part, int y, const rows_t *r, float share, const int factor, const int half) {
  const int width = p->width, wide = (width + 1) / 2;
  for (int k = 0; k < 2 && y + k < p->height; k++) {
    const uint8_t *from = p->luma + (y + k) * p->lumaStride, *new = s->luma + (y + k) * s->lumaStride;
    uint8_t *to = t->luma + (y + k) * t->lumaStride;
    float *const *o = r->row + k;
    const eight round = rounding(y + k);
    for (int x = part->left; x < part->right; x += 8) {
      const eight wrap = share * (1 - unit(at(o[6], factor, x)));
      const eight value = replaced(read_bytes(from + x, width - x), alpha_of(m, p, x, y + k), at(o[0], factor, x), at(o[2], factor, x),
                                   read_bytes(new + x, width - x), at(o[4], factor, x), wrap, 1);
      write_bytes(to + x, level(value + round), part->right - x);
    }
  }
  const uint8_t *from = p->chroma + (y / 2) * p->chromaStride, *new = s->chroma + (y / 2) * s->chromaStride;
  uint8_t *to = t->chroma + (y / 2) * t->chromaStride;
  float *const *o = r->row + 8;
  const eight round = rounding(y / 2);
  for (int x = part->halfLeft; x < part->halfRight; x += 8) {
    eight u, v, newU, newV;
    read_pairs(from + 2 * x, wide - x, &u, &v);
    read_pairs(new + 2 * x, wide - x, &newU, &newV);
    const eight alpha = half_alpha_of(m, p, x, y), wrap = share * (1 - unit(at(o[6], half, x)));
    u = replaced(u, alpha, at(o[0], half, x), at(o[1], half, x), newU, at(o[2], half, x), wrap, 0);
    v = replaced(v, alpha, at(o[3], half, x), at(o[4], half, x), newV, at(o[5], half, x), wrap, 0);
    write_pairs(to + 2 * x, level(u + round), level(v + round), part->halfRight - x);
  }
}

static void replace_any(const effects_picture *p, const effects_picture *s, const effects_picture *t, int factor,
                        const effects_mask *m, const part_t *part, int y, const rows_t *r, float share) {
  FOR_FACTOR(replace_part, p, s, t, m, part, y, r, share)
}

static void replace(const effects_picture *p, const effects_picture *s, const effects_picture *t, int32_t factor,
                    const effects_mask *m, const effects_surroundings *a, int32_t first, int32_t last, float *room) {
  const rows_t r = rows_in(room, p->width);
  const effects_field *luma[4] = {&a->person.luma, &a->behind.luma, &a->scenery.luma, &a->inside};
  const effects_field *chroma[7] = {&a->person.blue, &a->behind.blue, &a->scenery.blue, &a->person.red,
                                    &a->behind.red,  &a->scenery.red, &a->inside};
  for (int y = first; y < last; y += 2) {
    for (int n = 0; n < 8; n++) line_of(luma[n / 2], inside(y + n % 2, p->height), factor, r.scratch, r.row[n]);
    for (int n = 0; n < 7; n++) line_of(chroma[n], y / 2, factor / 2, r.scratch, r.row[8 + n]);
    for (int i = 0; i < parts_of(m); i++) {
      const part_t part = part_of(p, m, factor, i);
      const kind_t kind = kind_of(m, factor, &part, y, a->reach);
      if (kind == kEdge) replace_any(p, s, t, factor, m, &part, y, &r, a->wrap);
      else copy(kind == kPerson ? p : s, t, &part, y);
    }
  }
}
