#pragma once
#include "CReactions.h"

/// The place of row `y` of a picture in the rows that cover it, in 1/128 of a row.
static inline reactions_row row_of(const reactions_mask *rows, int32_t y) {
  const int64_t last = (int64_t)(rows->rows - 1) * 128;
  int64_t place = ((int64_t)(2 * y + 1) * rows->rows * 64) / rows->height - 64;
  place = place < 0 ? 0 : place > last ? last : place;
  const int64_t near = place >> 7;
  const uint8_t *bytes = rows->bytes + near * rows->pitch;
  return (reactions_row){bytes, near + 1 < rows->rows ? bytes + rows->pitch : bytes, (int32_t)(place & 127)};
}
