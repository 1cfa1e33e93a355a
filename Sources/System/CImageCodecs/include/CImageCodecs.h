// Thin façade over libjpeg-turbo, libheif, libpng, libexif and Little CMS for StillCodecs.
//
// Why Swift cannot call them directly: libjpeg and libpng report errors by longjmp, which must not cross Swift
// frames, and both lean on macros and structs whose layout the importer cannot take; libheif returns structs that
// own strings. Every function here returns 0 for success and otherwise leaves a sentence in `message`.
#ifndef CImageCodecs_h
#define CImageCodecs_h

#include <stddef.h>
#include <stdint.h>

#define CAM_MESSAGE_SIZE 256

#include "cam_jpeg.h"
#include "cam_png.h"
#include "cam_gif.h"
#include "cam_heif.h"
#include "cam_exif.h"
#include "cam_color.h"

#endif
