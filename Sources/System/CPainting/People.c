// People: limbs that flow into each other, lit from the upper left, and a face that is drawn on the head's surface.

#include "Face.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

/// Groups of four pixels that are computed together.
enum { groups = 16 };

/// The most limbs that touch one row.
enum { most_limbs = 160 };

/// A limb, with what its pixels share.
typedef struct {
  const struct painting_limb *limb;
  /// From and to which place along the row, in metres.
  float first, last;
  float length, slope, narrow;
  /// Where the nearest point of a slanting limb lies on it, see `lay_limb`.
  float lean;
} row_limb;

// MARK: Limbs

/// How much of the hair grows here: above a line across the forehead that is parted and falls at the temples.
static f4 hair_grows(const struct painting_figure *figure, f4 x, f4 y, f4 z, float pixel) {
  f4 hx, hy, hz;
  in_head(figure, x, y, z, &hx, &hy, &hz);
  f4 across = hx / 0.080f, square = across * across;
  f4 from_part = (hx - figure->parting) / 0.05f;
  f4 strands = (grain(hx * 420, (f4)3.5f) - 0.5f) * 0.0030f;
  f4 fall = figure->temples * square * square;
  f4 line = figure->fringe + 0.010f * held(from_part * from_part, 0, 1) + fall + strands;
  f4 sides = hz < -0.012f ? (f4)1 : coverage(hy - line, pixel + 0.0040f);
  // It ends before the ears, and farther down behind them.
  return sides * coverage(hy - 0.004f - 0.03f * held(-hz * 30 - 0.9f, 0, 1), pixel + 0.004f);
}

/// Where a limb lies on its own kind.
INLINE i4 kind_below(const struct painting_limb *limb, const surface *s) {
  switch (limb->part) {
  case painting_head: return s->face > 0.5f;
  case painting_hair:
  case painting_cap: return s->hair > 0.5f;
  case painting_sleeve:
  case painting_shirt: return s->cloth > 0.5f;
  default: return limb->soft > 0 ? s->alpha > 0.5f : (s->alpha > 0.5f) & (s->cloth + s->hair < 0.5f);
  }
}

/// Lays a limb over four pixels.
///
/// Of all spheres on its way, each pixel sees that which stands out most: t·m + √Q(t) is concave, with
/// Q(t) = C + 2Bt − At².
static void lay_limb(
    const row_limb *row, const struct painting_figure *figure, f4 x, f4 y, float pixel, surface *s) {
  const struct painting_limb *limb = row->limb;
  float dx = limb->dx * row->narrow, dy = limb->dy, growth = limb->growth;
  f4 px = (x - limb->x) * row->narrow, py = y - limb->y;
  f4 b = px * dx + py * dy + limb->radius * growth;
  f4 middle = b / row->length;
  f4 t = held(middle, 0, 1);
  f4 ox = px - t * dx, oy = py - t * dy;
  f4 distance = ROOT(ox * ox + oy * oy) - (limb->radius + t * growth);
  f4 depth = limb->z + t * limb->dz;
  if (limb->reach > 0) {
    f4 near = held(1 - distance / limb->reach, 0, 1) * held((depth - s->z) / limb->reach, 0, 1);
    if (limb->soft > 0) near = kind_below(limb, s) ? (f4)0 : near;
    s->dark *= 1 - 0.34f * near * near;
  }
  f4 cover = coverage(distance, pixel);
  if (!ANY(cover > 0)) return;

  f4 u = t;
  if (row->lean != 0) {
    f4 k = limb->radius * limb->radius - px * px - py * py + b * b / row->length;
    u = held(middle + row->lean * ROOT(most(k, (f4)0)), 0, 1);
    ox = px - u * dx;
    oy = py - u * dy;
  }
  f4 radius = limb->radius + u * growth;
  f4 height = ROOT(most(radius * radius - ox * ox - oy * oy, (f4)0));
  f4 z = limb->z + u * limb->dz + limb->deep * height;
  if (limb->part == painting_cap) cover *= hair_grows(figure, x, y, z, pixel);

  // Kinds flow into themselves: a hand into an arm, but not into a sleeve.
  i4 is_same = kind_below(limb, s);
  f4 flows = is_same ? (f4)limb->blend : (f4)0.0003f;
  f4 gap = z - s->z;
  f4 front = held(0.5f + 0.5f * gap / flows, 0, 1);
  z = s->z + gap * front + flows * front * (1 - front);
  if (limb->soft > 0) {
    // Without a rim, it is a swelling of what it lies on.
    f4 inner = height / (radius * limb->soft);
    inner = held(inner * inner, 0, 1);
    inner *= inner * (3 - 2 * inner);
    // Where it stands far out, what it lies on ends.
    if (limb->soft < 1) inner = most(inner, held(gap * 33 - 0.3f, 0, 1));
    f4 outer = limb->soft < 1 ? (f4)1 : (f4)0, faded = is_same ? inner : outer;
    z = is_same ? mixed(s->z, z, faded) : z;
    front *= faded;
    cover = limb->soft < 1 ? cover : is_same ? least(cover, s->alpha * s->face) : (f4)0;
  }
  f4 own = cover * front, before = s->alpha;
  s->z = cover > 0.5f ? z : s->z;
  s->alpha = most(before, cover);
  if (!ANY(own > 0)) return;
  f4 scale = 1 / radius, nx = ox * row->narrow * scale, ny = oy * scale, nz = height * scale / limb->deep;
  float is_face = limb->part == painting_head, is_shirt = limb->part == painting_shirt;
  float is_hair = limb->part == painting_hair || limb->part == painting_cap;
  float is_cloth = limb->part == painting_sleeve || is_shirt;
  if (ALL(own >= 1)) {
    // Most pixels are no edge: nothing is mixed.
    s->nx = nx, s->ny = ny, s->nz = nz, s->dark = 1;
    s->face = is_face, s->hair = is_hair, s->cloth = is_cloth, s->shirt = is_shirt;
    return;
  }
  f4 share = own / most(own + before * (1 - own), (f4)1e-6f);
  s->nx = mixed(s->nx, nx, share);
  s->ny = mixed(s->ny, ny, share);
  s->nz = mixed(s->nz, nz, share);
  s->dark = mixed(s->dark, (f4)1, share);
  s->face = mixed(s->face, (f4)is_face, share);
  s->hair = mixed(s->hair, (f4)is_hair, share);
  s->cloth = mixed(s->cloth, (f4)is_cloth, share);
  s->shirt = mixed(s->shirt, (f4)is_shirt, share);
}

// MARK: Clothes and hair

/// Gives four pixels the colours of what they are made of.
static void color(surface *s, const struct painting_figure *figure) {
  f4 skin = 1 - s->hair - s->cloth;
  s->r = figure->skin[0] * skin + figure->hair[0] * s->hair + figure->clothes[0] * s->cloth;
  s->g = figure->skin[1] * skin + figure->hair[1] * s->hair + figure->clothes[1] * s->cloth;
  s->b = figure->skin[2] * skin + figure->hair[2] * s->hair + figure->clothes[2] * s->cloth;
}

static void dress(surface *s, const struct painting_figure *figure, f4 x, f4 y, float pixel) {
  f4 nx = (x - figure->neckline_x) / 1.28f, ny = y - figure->neckline_y;
  f4 from_neck = ROOT(nx * nx + ny * ny) - figure->neckline;
  f4 bare = coverage(from_neck, pixel) * (s->shirt > 0.004f ? 1 - s->hair : (f4)0);
  f4 collar = coverage(ABS(from_neck - 0.0085f) - 0.0085f, pixel) * s->shirt;
  f4 below = held(1 - (from_neck - 0.017f) / 0.008f, 0, 1) * (from_neck > 0.017f ? (f4)1 : (f4)0) * s->shirt;
  // Folds: the surface leans as a soft noise does, in long waves across.
  f4 wave = grain(x * 11 + y * 7 + 40, y * 17 - x * 6 + 40) - 0.5f;
  f4 cloth = s->cloth * (1 - bare);
  s->nx += cloth * (0.34f * wave);
  s->ny += cloth * (0.30f * wave);
  f4 rib = x * 190 / 1.28f;
  f4 ridge = ABS(rib - rounded_down(rib) - 0.5f) * 2;
  shade_by(s, 1 - collar * (0.10f + 0.10f * ridge));
  shade_by(s, 1 - 0.20f * below);
  shade_by(s, 1 - 0.16f * bare * held(1 + from_neck / 0.02f, 0, 1));
  tint(s, figure->skin[0], figure->skin[1], figure->skin[2], bare);
  s->cloth = cloth;
}

static void comb(surface *s, const struct painting_figure *figure, f4 x, f4 y) {
  f4 hx, hy, hz;
  in_head(figure, x, y, s->z, &hx, &hy, &hz);
  // Strands run down from the crown: each keeps its way around the head.
  f4 x_off = hx - figure->parting * held(hz * 20, 0, 1);
  f4 way = x_off / (ABS(x_off) + most(hz, (f4)0) + 0.03f);
  f4 strand = grain(way * 40 + 100, hy * 24 + 60) - 0.5f;
  f4 lock = grain(way * 8 + 100, hy * 8 + 90) - 0.5f;
  f4 shine = held(1 - ABS(hy + 0.094f - 4.5f * hx * hx + 0.016f * lock) / 0.024f, 0, 1);
  f4 tone = 1 + 0.50f * strand + 0.34f * lock + 0.75f * shine * shine * (0.7f + strand);
  shade_by(s, mixed((f4)1, tone, s->hair));
  s->nx += s->hair * 0.25f * strand;
}

// MARK: Light

static shade lit(const surface *s, f4 eyes) {
  f4 length = ROOT(s->nx * s->nx + s->ny * s->ny + s->nz * s->nz) + 1e-6f;
  f4 nx = s->nx / length, ny = s->ny / length, nz = s->nz / length;
  f4 key = -0.48f * nx - 0.52f * ny + 0.706f * nz;
  f4 wrap = held((key + 0.30f) / 1.30f, 0, 1);
  f4 fill = held(0.75f * nx + 0.1f * ny + 0.65f * nz, 0, 1);
  f4 sky = 0.5f - 0.5f * ny;
  f4 light = 0.30f + 0.15f * sky + 0.54f * wrap * (0.35f + 0.65f * wrap) + 0.14f * fill;
  f4 skin = held(1 - s->hair - s->cloth, 0, 1);
  f4 dusk = wrap * (1 - wrap) * skin;
  f4 dark = s->dark;
  f4 warm = (1 - dark) * skin * 0.10f;
  f4 glance = most(-0.26f * nx - 0.28f * ny + 0.92f * nz, (f4)0);
  f4 second = glance * glance, fourth = second * second, eighth = fourth * fourth;
  f4 shine = eighth * eighth * (0.10f * skin + 0.03f * s->cloth) * (1 - eyes);
  f4 rim = (1 - nz) * (1 - nz) * held(nx * 1.2f - 0.2f, 0, 1) * 0.16f;
  light = mixed(light, 0.62f + 0.38f * light, eyes);
  shade c;
  f4 a = s->alpha;
  c.r = held(s->r * (light * dark + 0.10f * dusk + warm) + shine + rim * 0.9f, 0, 1) * a;
  c.g = held(s->g * (light * dark + 0.02f * dusk) + shine * 0.95f + rim * 0.95f, 0, 1) * a;
  c.b = held(s->b * (light * dark) + shine * 0.9f + rim, 0, 1) * a;
  c.a = a;
  return c;
}

// MARK: Rows

/// The limbs that a row touches.
static int gather(
    const struct painting_figure *figure, float x, float y, float along_x, float along_y, float margin,
    row_limb *rows) {
  int count = 0;
  for (int index = 0; index < figure->count && count < most_limbs; index += 1) {
    const struct painting_limb *limb = figure->limbs + index;
    float end = limb->radius + limb->growth;
    float radius = (limb->radius > end ? limb->radius : end) * (limb->wide > 1 ? limb->wide : 1);
    radius += (limb->reach > 0 ? limb->reach : 0) + margin;
    float sx = limb->x - x, sy = limb->y - y;
    float off = sx * -along_y + sy * along_x, end_off = off + limb->dx * -along_y + limb->dy * along_x;
    if (off > radius && end_off > radius) continue;
    if (off < -radius && end_off < -radius) continue;
    float at = sx * along_x + sy * along_y, end_at = at + limb->dx * along_x + limb->dy * along_y;
    row_limb *row = rows + count;
    count += 1;
    row->limb = limb;
    row->first = (at < end_at ? at : end_at) - radius;
    row->last = (at > end_at ? at : end_at) + radius;
    row->narrow = 1 / limb->wide;
    float dx = limb->dx * row->narrow;
    // A limb that points at the viewer is hardly longer than it tapers, and must be a little longer for the root.
    float length = dx * dx + limb->dy * limb->dy - limb->growth * limb->growth;
    row->length = length > 1e-7f ? length : 1e-7f;
    float slope = limb->dz / limb->deep;
    row->lean = slope / sqrtf(row->length * (row->length + slope * slope));
  }
  return count;
}

/// Goes through a row in chunks: `each` has the surface of four pixels, and their places.
#define EACH_GROUP(each)                                                                                              \
  float step_x = run.du * figure->width, step_y = run.dv * figure->height;                                            \
  float step = sqrtf(step_x * step_x + step_y * step_y);                                                              \
  float pixel = run.pixel * figure->width;                                                                            \
  float along_x = step > 0 ? step_x / step : 1, along_y = step > 0 ? step_y / step : 0;                               \
  float x0 = figure->left + run.u * figure->width, y0 = figure->top + run.v * figure->height;                         \
  row_limb rows[most_limbs];                                                                                          \
  int limbs = gather(figure, x0, y0, along_x, along_y, pixel, rows);                                                  \
  for (long start = 0; start < count && limbs > 0; start += groups * 4) {                                             \
    float from = (float)start * step, to = (float)(start + groups * 4) * step;                                        \
    surface surfaces[groups];                                                                                         \
    bool is_touched = false;                                                                                          \
    for (int index = 0; index < limbs; index += 1) {                                                                  \
      if (rows[index].first > to || rows[index].last < from) continue;                                                \
      if (!is_touched) clear(surfaces);                                                                               \
      is_touched = true;                                                                                              \
      int low = step > 0 ? (int)((rows[index].first - from) / step) / 4 : 0;                                          \
      int high = step > 0 ? (int)((rows[index].last - from) / step) / 4 : 0;                                          \
      for (int group = low > 0 ? low : 0; group <= high && group < groups; group += 1) {                              \
        f4 along = ((f4){0, 1, 2, 3} + (float)(start + group * 4));                                                   \
        lay_limb(rows + index, figure, x0 + along * step_x, y0 + along * step_y, pixel, surfaces + group);            \
      }                                                                                                               \
    }                                                                                                                 \
    if (!is_touched) continue;                                                                                        \
    for (int group = 0; group < groups && start + group * 4 < count; group += 1) {                                    \
      surface *s = surfaces + group;                                                                                  \
      f4 along = ((f4){0, 1, 2, 3} + (float)(start + group * 4));                                                     \
      f4 x = x0 + along * step_x, y = y0 + along * step_y;                                                            \
      long index = start + group * 4;                                                                                 \
      each                                                                                                            \
    }                                                                                                                 \
  }

static void clear(surface *surfaces) {
  surface none = {.z = -10, .nz = 1, .dark = 1};
  for (int group = 0; group < groups; group += 1) surfaces[group] = none;
}

void painting_person(struct painting_run run, const struct painting_figure *figure, void *colors, long count) {
  EACH_GROUP({
    if (!ANY(s->alpha > 0)) continue;
    color(s, figure);
    f4 eyes = ANY(s->face > 0) ? features(s, figure, x, y, pixel) : (f4)0;
    if (ANY(s->hair > 0)) comb(s, figure, x, y);
    if (ANY(s->cloth > 0)) dress(s, figure, x, y, pixel);
    lay_shade(lit(s, eyes), (f4 *)colors + index, count - index);
  })
}

void painting_person_share(
    struct painting_run run, const struct painting_figure *figure, enum painting_share share, void *colors, long count) {
  EACH_GROUP({
    if (!ANY(s->alpha > 0)) continue;
    // The balls of the eyes are no skin, and the neckline is.
    f4 eyes = ANY(s->face > 0) ? features(s, figure, x, y, pixel) : (f4)0;
    if (ANY(s->cloth > 0)) dress(s, figure, x, y, pixel);
    f4 own = share == painting_hair_share ? s->hair : held(1 - s->hair - s->cloth - eyes, 0, 1);
    f4 grey = held(own, 0, 1) * s->alpha;
    lay_shade((shade){grey, grey, grey, s->alpha}, (f4 *)colors + index, count - index);
  })
}

void painting_person_relief(
    struct painting_run run, const struct painting_figure *figure, float *metres, long count) {
  for (long index = 0; index < count; index += 1) metres[index] = NAN;
  EACH_GROUP({
    for (long lane = 0; lane < 4 && index + lane < count; lane += 1) {
      if (s->alpha[lane] > 0.5f) metres[index + lane] = s->z[lane];
    }
    (void)x;
    (void)y;
  })
}
