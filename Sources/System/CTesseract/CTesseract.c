#include "CTesseract.h"

#include <CLibraries.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// What follows is declared as capi.h of Tesseract 5.3.0 has it, as far as it is used; handles are opaque there, too.
enum { kOnlyNeural = 1, kSingleLine = 7, kSparseText = 11, kTextLine = 2, kWord = 3, kAssumedResolution = 150 };

typedef bool (*cancel_t)(void *context, int words);

// One line for each function: result, name without `Tess`, parameters.
#define FUNCTIONS(X)                                                                                                  \
  X(void *, BaseAPICreate, (void))                                                                                    \
  X(void, BaseAPIDelete, (void *))                                                                                    \
  X(int, BaseAPIInit4, (void *, const char *, const char *, int, char **, int, char **, char **, size_t, int))        \
  X(void, BaseAPISetPageSegMode, (void *, int))                                                                       \
  X(void, BaseAPISetImage, (void *, const unsigned char *, int, int, int, int))                                       \
  X(void, BaseAPISetSourceResolution, (void *, int))                                                                  \
  X(int, BaseAPIRecognize, (void *, void *))                                                                          \
  X(void *, BaseAPIGetIterator, (void *))                                                                             \
  X(void, BaseAPIClear, (void *))                                                                                     \
  X(const void *, ResultIteratorGetPageIteratorConst, (void *))                                                       \
  X(int, PageIteratorIsAtBeginningOf, (const void *, int))                                                            \
  X(int, PageIteratorBoundingBox, (const void *, int, int *, int *, int *, int *))                                    \
  X(int, PageIteratorBaseline, (const void *, int, int *, int *, int *, int *))                                       \
  X(int, ResultIteratorNext, (void *, int))                                                                           \
  X(char *, ResultIteratorGetUTF8Text, (const void *, int))                                                           \
  X(float, ResultIteratorConfidence, (const void *, int))                                                             \
  X(void, ResultIteratorDelete, (void *))                                                                             \
  X(void, DeleteText, (const char *))                                                                                 \
  X(void *, MonitorCreate, (void))                                                                                    \
  X(void, MonitorDelete, (void *))                                                                                    \
  X(void, MonitorSetCancelFunc, (void *, cancel_t))                                                                   \
  X(void, MonitorSetCancelThis, (void *, void *))                                                                     \
  X(int, MonitorGetProgress, (void *))

#define PREFIX "Tess"

static struct {
  FUNCTIONS(CAM_FUNCTION_FIELD)
} library;
static char obstacle[300];

static void open_library(void) {
  const char *const files[] = {"libtesseract.so.5", NULL}, *const names[] = {FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  cam_library_open(files, names, &library, obstacle, sizeof obstacle);
}

int cam_text_is_available(char *reason, size_t reason_size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  if (obstacle[0] == 0) return 1;
  snprintf(reason, reason_size, "%s", obstacle);
  return 0;
}

struct cam_text_reader {
  void *api;
  void *iterator;
  char *text;
  int is_at_end;
};

cam_text_reader *cam_text_reader_open(
    const char *folder, const char *languages, int corrects, char *reason, size_t reason_size) {
  if (!cam_text_is_available(reason, reason_size)) return NULL;
  cam_text_reader *reader = calloc(1, sizeof *reader);
  if (reader != NULL) reader->api = library.BaseAPICreate();
  if (reader == NULL || reader->api == NULL) {
    snprintf(reason, reason_size, "there is no memory");
    free(reader);
    return NULL;
  }
  // What it would print goes nowhere; dictionaries are loaded, or not, at the start.
  char *names[] = {"debug_file", "load_system_dawg", "load_freq_dawg"}, *values[] = {"/dev/null", "0", "0"};
  if (library.BaseAPIInit4(
          reader->api, folder, languages, kOnlyNeural, NULL, 0, names, values, corrects ? 1 : 3, 0) != 0) {
    snprintf(reason, reason_size, "the languages %s in %s cannot be loaded", languages, folder);
    cam_text_reader_close(reader);
    return NULL;
  }
  return reader;
}

static void end_reading(cam_text_reader *reader) {
  if (reader->text != NULL) library.DeleteText(reader->text);
  if (reader->iterator != NULL) library.ResultIteratorDelete(reader->iterator);
  reader->text = NULL;
  reader->iterator = NULL;
}

void cam_text_reader_close(cam_text_reader *reader) {
  if (reader == NULL) return;
  end_reading(reader);
  library.BaseAPIDelete(reader->api);
  free(reader);
}

typedef struct {
  cam_text_watch watch;
  void *context;
  void *monitor;
} watched_t;

static bool is_ended(void *context, int words) {
  (void)words;
  const watched_t *watched = context;
  return watched->watch(watched->context, library.MonitorGetProgress(watched->monitor)) != 0;
}

int cam_text_read(
    cam_text_reader *reader, const uint8_t *luma, int width, int height, int stride, int is_line,
    cam_text_watch watch, void *context) {
  end_reading(reader);
  watched_t watched = {watch, context, library.MonitorCreate()};
  if (watched.monitor == NULL) return 0;
  library.MonitorSetCancelFunc(watched.monitor, is_ended);
  library.MonitorSetCancelThis(watched.monitor, &watched);
  library.BaseAPISetPageSegMode(reader->api, is_line ? kSingleLine : kSparseText);
  library.BaseAPISetImage(reader->api, luma, width, height, 1, stride);
  library.BaseAPISetSourceResolution(reader->api, kAssumedResolution);
  const int failed = library.BaseAPIRecognize(reader->api, watched.monitor);
  library.MonitorDelete(watched.monitor);
  if (!failed) reader->iterator = library.BaseAPIGetIterator(reader->api);
  reader->is_at_end = reader->iterator == NULL;
  return !failed;
}

int cam_text_next(cam_text_reader *reader, cam_text_word *word) {
  while (!reader->is_at_end) {
    if (reader->text != NULL) library.DeleteText(reader->text);
    const void *place = library.ResultIteratorGetPageIteratorConst(reader->iterator);
    word->begins_line = library.PageIteratorIsAtBeginningOf(place, kTextLine) != 0;
    const int is_placed =
        library.PageIteratorBoundingBox(place, kWord, &word->left, &word->top, &word->right, &word->bottom);
    if (!library.PageIteratorBaseline(
            place, kTextLine, &word->baseline_left_x, &word->baseline_left_y, &word->baseline_right_x,
            &word->baseline_right_y)) {
      word->baseline_left_x = word->left;
      word->baseline_right_x = word->right;
      word->baseline_left_y = word->baseline_right_y = word->bottom;
    }
    word->confidence = library.ResultIteratorConfidence(reader->iterator, kWord);
    reader->text = library.ResultIteratorGetUTF8Text(reader->iterator, kWord);
    word->text = reader->text;
    reader->is_at_end = !library.ResultIteratorNext(reader->iterator, kWord);
    if (is_placed && word->text != NULL) return 1;
  }
  return 0;
}
