// Cairo draws shapes and pictures, Pango lays out text in any script and draws it with cairo.
//
// Pango's functions are declared here, as in its stable interface since version 1.44: its own headers need a compiler's flag that
// the package manager would warn of in every program that depends on this package. The names are ours, because GTK's headers bring
// Pango's into the same compilation.
#pragma once
#include <cairo.h>
#include <glib-object.h>

#define CAM_PANGO_SCALE 1024
// The name that a function has in the library.
#define IS(name) __asm__("pango_" #name)

typedef struct cam_pango_Context CamPangoContext;
typedef struct cam_pango_FontMap CamPangoFontMap;
typedef struct cam_pango_FontFamily CamPangoFontFamily;
typedef struct cam_pango_Font CamPangoFont;
typedef struct cam_pango_FontDescription CamPangoFontDescription;
typedef struct cam_pango_FontMetrics CamPangoFontMetrics;
typedef struct cam_pango_Language CamPangoLanguage;
typedef struct cam_pango_Layout CamPangoLayout;
typedef struct cam_pango_LayoutIter CamPangoLayoutIter;
typedef struct cam_pango_AttrList CamPangoAttrList;
typedef struct cam_pango_GlyphString CamPangoGlyphString;

typedef struct { int x, y, width, height; } CamPangoRectangle;
typedef struct { const void *klass; guint start_index, end_index; } CamPangoAttribute;
// The beginnings of what the library hands out by pointer.
typedef struct { void *shape_engine, *lang_engine; CamPangoFont *font; } CamPangoAnalysis;
typedef struct { int offset, length, num_chars; CamPangoAnalysis analysis; } CamPangoItem;
typedef struct { CamPangoItem *item; CamPangoGlyphString *glyphs; } CamPangoGlyphItem;

typedef enum { CAM_PANGO_ALIGN_LEFT, CAM_PANGO_ALIGN_CENTER, CAM_PANGO_ALIGN_RIGHT } CamPangoAlignment;
typedef enum { CAM_PANGO_WRAP_WORD, CAM_PANGO_WRAP_CHAR, CAM_PANGO_WRAP_WORD_CHAR } CamPangoWrapMode;
typedef enum {
  CAM_PANGO_ELLIPSIZE_NONE, CAM_PANGO_ELLIPSIZE_START, CAM_PANGO_ELLIPSIZE_MIDDLE, CAM_PANGO_ELLIPSIZE_END
} CamPangoEllipsizeMode;
typedef enum { CAM_PANGO_UNDERLINE_NONE, CAM_PANGO_UNDERLINE_SINGLE, CAM_PANGO_UNDERLINE_DOUBLE } CamPangoUnderline;
typedef enum {
  CAM_PANGO_WEIGHT_THIN = 100, CAM_PANGO_WEIGHT_ULTRALIGHT = 200, CAM_PANGO_WEIGHT_LIGHT = 300, CAM_PANGO_WEIGHT_NORMAL = 400,
  CAM_PANGO_WEIGHT_MEDIUM = 500, CAM_PANGO_WEIGHT_SEMIBOLD = 600, CAM_PANGO_WEIGHT_BOLD = 700, CAM_PANGO_WEIGHT_ULTRABOLD = 800,
  CAM_PANGO_WEIGHT_HEAVY = 900
} CamPangoWeight;
typedef enum { CAM_PANGO_FONT_MASK_SIZE = 1 << 5 } CamPangoFontMask;

CamPangoFontMap *cam_pango_cairo_font_map_get_default(void) IS(cairo_font_map_get_default);
CamPangoContext *cam_pango_font_map_create_context(CamPangoFontMap *map) IS(font_map_create_context);
void cam_pango_font_map_list_families(CamPangoFontMap *map, CamPangoFontFamily ***families, int *count) IS(font_map_list_families);
const char *cam_pango_font_family_get_name(CamPangoFontFamily *family) IS(font_family_get_name);
CamPangoFont *cam_pango_context_load_font(CamPangoContext *context, const CamPangoFontDescription *description) IS(context_load_font);
void cam_pango_cairo_context_set_font_options(CamPangoContext *context, const cairo_font_options_t *options) IS(cairo_context_set_font_options);

CamPangoFontDescription *cam_pango_font_description_from_string(const char *text) IS(font_description_from_string);
char *cam_pango_font_description_to_string(const CamPangoFontDescription *description) IS(font_description_to_string);
void cam_pango_font_description_free(CamPangoFontDescription *description) IS(font_description_free);
const char *cam_pango_font_description_get_family(const CamPangoFontDescription *description) IS(font_description_get_family);
void cam_pango_font_description_set_weight(CamPangoFontDescription *description, CamPangoWeight weight) IS(font_description_set_weight);
void cam_pango_font_description_set_absolute_size(CamPangoFontDescription *description, double size) IS(font_description_set_absolute_size);
void cam_pango_font_description_unset_fields(CamPangoFontDescription *description, CamPangoFontMask fields) IS(font_description_unset_fields);
CamPangoFontDescription *cam_pango_font_describe(CamPangoFont *font) IS(font_describe);
CamPangoFontMetrics *cam_pango_font_get_metrics(CamPangoFont *font, CamPangoLanguage *language) IS(font_get_metrics);
int cam_pango_font_metrics_get_ascent(CamPangoFontMetrics *metrics) IS(font_metrics_get_ascent);
int cam_pango_font_metrics_get_descent(CamPangoFontMetrics *metrics) IS(font_metrics_get_descent);
void cam_pango_font_metrics_unref(CamPangoFontMetrics *metrics) IS(font_metrics_unref);

CamPangoAttrList *cam_pango_attr_list_new(void) IS(attr_list_new);
void cam_pango_attr_list_unref(CamPangoAttrList *list) IS(attr_list_unref);
void cam_pango_attr_list_insert(CamPangoAttrList *list, CamPangoAttribute *attribute) IS(attr_list_insert);
CamPangoAttribute *cam_pango_attr_font_desc_new(const CamPangoFontDescription *description) IS(attr_font_desc_new);
CamPangoAttribute *cam_pango_attr_foreground_new(guint16 red, guint16 green, guint16 blue) IS(attr_foreground_new);
CamPangoAttribute *cam_pango_attr_foreground_alpha_new(guint16 alpha) IS(attr_foreground_alpha_new);
CamPangoAttribute *cam_pango_attr_background_new(guint16 red, guint16 green, guint16 blue) IS(attr_background_new);
CamPangoAttribute *cam_pango_attr_background_alpha_new(guint16 alpha) IS(attr_background_alpha_new);
CamPangoAttribute *cam_pango_attr_letter_spacing_new(int spacing) IS(attr_letter_spacing_new);
CamPangoAttribute *cam_pango_attr_rise_new(int rise) IS(attr_rise_new);
CamPangoAttribute *cam_pango_attr_underline_new(CamPangoUnderline underline) IS(attr_underline_new);
CamPangoAttribute *cam_pango_attr_strikethrough_new(gboolean isStruck) IS(attr_strikethrough_new);

CamPangoLayout *cam_pango_layout_new(CamPangoContext *context) IS(layout_new);
void cam_pango_layout_set_text(CamPangoLayout *layout, const char *text, int length) IS(layout_set_text);
void cam_pango_layout_set_attributes(CamPangoLayout *layout, CamPangoAttrList *attributes) IS(layout_set_attributes);
void cam_pango_layout_set_font_description(CamPangoLayout *layout, const CamPangoFontDescription *description) IS(layout_set_font_description);
void cam_pango_layout_set_width(CamPangoLayout *layout, int width) IS(layout_set_width);
void cam_pango_layout_set_alignment(CamPangoLayout *layout, CamPangoAlignment alignment) IS(layout_set_alignment);
void cam_pango_layout_set_auto_dir(CamPangoLayout *layout, gboolean isAutomatic) IS(layout_set_auto_dir);
void cam_pango_layout_set_justify(CamPangoLayout *layout, gboolean isJustified) IS(layout_set_justify);
void cam_pango_layout_set_wrap(CamPangoLayout *layout, CamPangoWrapMode wrap) IS(layout_set_wrap);
void cam_pango_layout_set_ellipsize(CamPangoLayout *layout, CamPangoEllipsizeMode mode) IS(layout_set_ellipsize);
void cam_pango_layout_set_spacing(CamPangoLayout *layout, int spacing) IS(layout_set_spacing);
void cam_pango_layout_set_indent(CamPangoLayout *layout, int indent) IS(layout_set_indent);
void cam_pango_layout_get_extents(CamPangoLayout *layout, CamPangoRectangle *ink, CamPangoRectangle *logical) IS(layout_get_extents);
int cam_pango_layout_get_baseline(CamPangoLayout *layout) IS(layout_get_baseline);
CamPangoLayoutIter *cam_pango_layout_get_iter(CamPangoLayout *layout) IS(layout_get_iter);
void cam_pango_layout_iter_free(CamPangoLayoutIter *iterator) IS(layout_iter_free);
gboolean cam_pango_layout_iter_next_line(CamPangoLayoutIter *iterator) IS(layout_iter_next_line);
gboolean cam_pango_layout_iter_next_run(CamPangoLayoutIter *iterator) IS(layout_iter_next_run);
void cam_pango_layout_iter_get_line_yrange(CamPangoLayoutIter *iterator, int *top, int *bottom) IS(layout_iter_get_line_yrange);
int cam_pango_layout_iter_get_baseline(CamPangoLayoutIter *iterator) IS(layout_iter_get_baseline);
CamPangoGlyphItem *cam_pango_layout_iter_get_run_readonly(CamPangoLayoutIter *iterator) IS(layout_iter_get_run_readonly);
void cam_pango_layout_iter_get_run_extents(CamPangoLayoutIter *iterator, CamPangoRectangle *ink, CamPangoRectangle *logical) IS(layout_iter_get_run_extents);

void cam_pango_cairo_update_layout(cairo_t *cairo, CamPangoLayout *layout) IS(cairo_update_layout);
void cam_pango_cairo_show_layout(cairo_t *cairo, CamPangoLayout *layout) IS(cairo_show_layout);
void cam_pango_cairo_glyph_string_path(cairo_t *cairo, CamPangoFont *font, CamPangoGlyphString *glyphs) IS(cairo_glyph_string_path);

#undef IS
