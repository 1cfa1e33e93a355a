// Thin façade over Tesseract's C interface for TextReading.
//
// Why Swift cannot call it directly: a machine may lack the library. It is opened with `dlopen`, so that nothing links against it.
#ifndef CTesseract_h
#define CTesseract_h

#include <stddef.h>
#include <stdint.h>

/// A reader of some languages: one caller at a time.
typedef struct cam_text_reader cam_text_reader;

/// A word that was read; places in pixels of the picture, right and bottom exclusive.
typedef struct {
  /// UTF-8; valid until the next call for the reader.
  const char *text;
  /// How sure it is, from 0 to 100.
  float confidence;
  int32_t left, top, right, bottom;
  /// The slope's ends of the line that the word stands on.
  int32_t baseline_left_x, baseline_left_y, baseline_right_x, baseline_right_y;
  /// 1 where a line begins with the word.
  int32_t begins_line;
} cam_text_word;

/// Called now and then while a picture is read, on the reading thread; nonzero ends it. `progress` is from 0 to 100.
typedef int (*cam_text_watch)(void *context, int progress);

/// Opens the library; NULL with a reason. What is opened stays so for good.
/// Loads the languages (`eng+kor`) of a folder of `.traineddata` files; without `corrects`, dictionaries are left out.
cam_text_reader *cam_text_reader_open(
    const char *folder, const char *languages, int corrects, char *reason, size_t reason_size);

void cam_text_reader_close(cam_text_reader *reader);

/// Whether the library is there: 1, or 0 with the reason.
int cam_text_is_available(char *reason, size_t reason_size);

/// Reads all that looks like text in a gray picture, or the one line that fills it. Returns 1; 0 when it failed or was ended by `watch`.
int cam_text_read(
    cam_text_reader *reader, const uint8_t *luma, int width, int height, int stride, int is_line, cam_text_watch watch,
    void *context);

/// The next word of what was read; 0 after the last one.
int cam_text_next(cam_text_reader *reader, cam_text_word *word);

#endif
