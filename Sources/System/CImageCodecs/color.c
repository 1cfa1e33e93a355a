#include "CImageCodecs.h"

#include <lcms2.h>

// A profile above this is no picture's.
#define LARGEST_PROFILE (16u << 20)

static int is_cmyk(cam_color_layout layout) {
  return layout == CAM_COLOR_CMYK || layout == CAM_COLOR_CMYK_INVERTED;
}

static cmsUInt32Number type_of(cam_color_layout layout) {
  switch (layout) {
    case CAM_COLOR_RGBA: return TYPE_RGBA_8;
    case CAM_COLOR_RGBA_PREMULTIPLIED: return TYPE_RGBA_8_PREMUL;
    case CAM_COLOR_RGBA16: return TYPE_RGBA_16;
    case CAM_COLOR_CMYK: return TYPE_CMYK_8;
    default: return TYPE_CMYK_8_REV;
  }
}

cam_color *cam_color_open(const uint8_t *profile, size_t size, cam_color_layout layout, int blue_first) {
  if (size > LARGEST_PROFILE) return NULL;
  cmsHPROFILE from = cmsOpenProfileFromMem(profile, (cmsUInt32Number)size);
  if (!from) return NULL;
  cmsHTRANSFORM transform = NULL;
  if (cmsGetColorSpace(from) == (is_cmyk(layout) ? cmsSigCmykData : cmsSigRgbData)) {
    cmsHPROFILE to = cmsCreate_sRGBProfile();
    if (to) {
      const cmsUInt32Number out = is_cmyk(layout) ? blue_first ? TYPE_BGRA_8 : TYPE_RGBA_8 : type_of(layout);
      // Black stays black, as every viewer shows it.
      const cmsUInt32Number flags = cmsFLAGS_BLACKPOINTCOMPENSATION | (is_cmyk(layout) ? 0 : cmsFLAGS_COPY_ALPHA);
      transform = cmsCreateTransform(from, type_of(layout), to, out, INTENT_RELATIVE_COLORIMETRIC, flags);
      cmsCloseProfile(to);
    }
  }
  cmsCloseProfile(from);
  return transform;
}

void cam_color_convert(const cam_color *color, const void *from, void *to, size_t count) {
  cmsDoTransform((cmsHTRANSFORM)(uintptr_t)color, from, to, (cmsUInt32Number)count);
}

void cam_color_close(cam_color *color) {
  if (color) cmsDeleteTransform(color);
}
