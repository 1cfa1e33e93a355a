// The mask of pixels, worked out where an edge may be; a part of Loops.h.

/// Rows 0 to 3 are the lines of luma and the base for both rows, 4 and 5 of chroma, 6 and 7 the share, 9 and 10 the chroma around.
///
/// Row 8 gets what chroma says: only as far as it differs from what is around, for it lies half a row off luma, and slopes are steep.
INLINE void matte_part(const effects_picture *p, const effects_lines *l, const uint8_t *before, const effects_mask *m,
                       const part_t *part, int y, const rows_t *r, const int factor, const int half) {
  const int width = p->width, wide = (width + 1) / 2;
  const uint8_t *c = p->chroma + (y / 2) * p->chromaStride;
  float *colored = r->row[8];
  // With the pairs beside the part.
  for (int x = part->halfLeft ? part->halfLeft - 8 : 0; x < part->halfRight + 8 && x < wide; x += 8) {
    eight u, v;
    read_pairs(c + 2 * x, wide - x, &u, &v);
    write8(colored + x, at(r->row[4], half, x) * (u - at(r->row[9], half, x)) + at(r->row[5], half, x) * (v - at(r->row[10], half, x)));
  }
  colored[-1] = colored[0];
  colored[wide] = colored[wide - 1];
  for (int k = 0; k < 2 && y + k < p->height; k++) {
    const uint8_t *luma = p->luma + (y + k) * p->lumaStride;
    const ptrdiff_t row = (ptrdiff_t)(y + k) * even(width);
    for (int x = part->left; x < part->right; x += 8) {
      const eight value = at(r->row[k], factor, x) * read_bytes(luma + x, width - x) + at(r->row[2 + k], factor, x);
      eight alpha = stretched(value + at(colored, 2, x), l) * 255;
      if (before) {
        const eight old = read_bytes(before + row + x, width - x);
        alpha = old + (alpha - old) * at(r->row[6 + k], factor, x);
      }
      write_bytes(m->pixels + row + x, alpha + 0.5f, part->right - x);
    }
  }
}

static void matte_any(const effects_picture *p, int factor, const effects_lines *l, const uint8_t *before, const effects_mask *m,
                      const part_t *part, int y, const rows_t *r) {
  FOR_FACTOR(matte_part, p, l, before, m, part, y, r)
}

static void matte(const effects_picture *p, int32_t factor, const effects_lines *l, const effects_colors *around,
                  const effects_field *share, const uint8_t *before, const effects_mask *m, int32_t first, int32_t last, float *room) {
  const rows_t r = rows_in(room, p->width);
  for (int y = first; y < last; y += 2) {
    int hasLines = 0;
    for (int i = 0; i < parts_of(m); i++) {
      const part_t part = part_of(p, m, factor, i);
      const kind_t kind = kind_of(m, factor, &part, y, 0);
      if (kind != kEdge) {
        for (int k = 0; k < 2 && y + k < p->height; k++)
          memset(m->pixels + (ptrdiff_t)(y + k) * even(p->width) + part.left, kind == kPerson ? 255 : 0,
                 (size_t)(part.right - part.left));
        continue;
      }
      if (!hasLines) {
        for (int k = 0; k < 2; k++) {
          const int row = inside(y + k, p->height);
          line_of(&l->slopes.luma, row, factor, r.scratch, r.row[k]);
          line_of(&l->base, row, factor, r.scratch, r.row[2 + k]);
          if (before) line_of(share, row, factor, r.scratch, r.row[6 + k]);
        }
        line_of(&l->slopes.blue, y / 2, factor / 2, r.scratch, r.row[4]);
        line_of(&l->slopes.red, y / 2, factor / 2, r.scratch, r.row[5]);
        line_of(&around->blue, y / 2, factor / 2, r.scratch, r.row[9]);
        line_of(&around->red, y / 2, factor / 2, r.scratch, r.row[10]);
        hasLines = 1;
      }
      matte_any(p, factor, l, before, m, &part, y, &r);
    }
    if (p->width % 2)
      for (int k = 0; k < 2 && y + k < p->height; k++) {
        uint8_t *end = m->pixels + (ptrdiff_t)(y + k) * even(p->width) + p->width;
        *end = end[-1];
      }
  }
}
