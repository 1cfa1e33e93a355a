#include "CImageCodecs.h"

#include <stdlib.h>
#include <string.h>

#include <libexif/exif-data.h>
#include <libexif/exif-utils.h>

static const unsigned char prefix[6] = {'E', 'x', 'i', 'f', 0, 0};

// libexif drops tags it does not know and "fixes" the others unless set to leave them alone.
static void leave_tags_alone(ExifData *data) {
  exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
  exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_set_option(data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE);
}

// libexif keeps numbers in the file's order and its own swap function does nothing for equal orders.
static ExifByteOrder native_order(void) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one ? EXIF_BYTE_ORDER_INTEL : EXIF_BYTE_ORDER_MOTOROLA;
}

static int width_of_number(int format) {
  switch (format) {
    case EXIF_FORMAT_SHORT:
    case EXIF_FORMAT_SSHORT: return 2;
    case EXIF_FORMAT_LONG:
    case EXIF_FORMAT_SLONG:
    case EXIF_FORMAT_RATIONAL:
    case EXIF_FORMAT_SRATIONAL:
    case EXIF_FORMAT_FLOAT: return 4;
    case EXIF_FORMAT_DOUBLE: return 8;
    default: return 1;
  }
}

static void reverse_numbers(uint8_t *bytes, size_t size, int width) {
  for (size_t at = 0; at + (size_t)width <= size; at += (size_t)width) {
    for (int low = 0, high = width - 1; low < high; low++, high--) {
      uint8_t byte = bytes[at + (size_t)low];
      bytes[at + (size_t)low] = bytes[at + (size_t)high];
      bytes[at + (size_t)high] = byte;
    }
  }
}

int cam_exif_read(
  const uint8_t *bytes, size_t size, void *user, void (*each)(void *user, const cam_exif_tag *tag),
  void (*thumbnail)(void *user, const uint8_t *bytes, size_t size)) {
  if (size < 8 || size > (1u << 24)) return 1;
  uint8_t *prefixed = malloc(size + sizeof prefix);
  ExifData *data = exif_data_new();
  if (!prefixed || !data) {
    free(prefixed);
    if (data) exif_data_unref(data);
    return 1;
  }
  memcpy(prefixed, prefix, sizeof prefix);
  memcpy(prefixed + sizeof prefix, bytes, size);
  leave_tags_alone(data);
  exif_data_load_data(data, prefixed, (unsigned int)(size + sizeof prefix));
  free(prefixed);

  const int must_swap = exif_data_get_byte_order(data) != native_order();
  for (int directory = 0; directory < EXIF_IFD_COUNT; directory++) {
    ExifContent *content = data->ifd[directory];
    for (unsigned int index = 0; content && index < content->count; index++) {
      ExifEntry *entry = content->entries[index];
      if (!entry->data && entry->size > 0) continue;
      if (must_swap) reverse_numbers(entry->data, entry->size, width_of_number(entry->format));
      cam_exif_tag tag = {
        directory, entry->tag, entry->format, (uint32_t)entry->components, entry->data, entry->size};
      each(user, &tag);
    }
  }
  if (data->data && data->size > 0) thumbnail(user, data->data, data->size);
  exif_data_unref(data);
  return 0;
}

int cam_exif_write(
  const cam_exif_tag *tags, int count, const uint8_t *thumbnail, size_t thumbnail_size, uint8_t **out,
  size_t *out_size) {
  ExifData *data = exif_data_new();
  if (!data) return 1;
  leave_tags_alone(data);
  exif_data_set_byte_order(data, EXIF_BYTE_ORDER_MOTOROLA);
  const int must_swap = native_order() != EXIF_BYTE_ORDER_MOTOROLA;
  for (int index = 0; index < count; index++) {
    const cam_exif_tag *tag = &tags[index];
    ExifEntry *entry = exif_entry_new();
    // The default allocator of libexif is the C library's, which frees what malloc gave.
    uint8_t *bytes = malloc(tag->size ? tag->size : 1);
    if (!entry || !bytes) {
      free(bytes);
      if (entry) exif_entry_unref(entry);
      exif_data_unref(data);
      return 1;
    }
    memcpy(bytes, tag->bytes, tag->size);
    if (must_swap) reverse_numbers(bytes, tag->size, width_of_number(tag->format));
    entry->tag = (ExifTag)tag->tag;
    entry->format = (ExifFormat)tag->format;
    entry->components = tag->count;
    entry->data = bytes;
    entry->size = (unsigned int)tag->size;
    exif_content_add_entry(data->ifd[tag->directory], entry);
    exif_entry_unref(entry);
  }
  if (thumbnail && thumbnail_size > 0) {
    data->data = malloc(thumbnail_size);
    if (data->data) {
      memcpy(data->data, thumbnail, thumbnail_size);
      data->size = (unsigned int)thumbnail_size;
    }
  }
  unsigned char *saved = NULL;
  unsigned int size = 0;
  exif_data_save_data(data, &saved, &size);
  exif_data_unref(data);
  if (!saved || size <= sizeof prefix) {
    free(saved);
    return 1;
  }
  // The prefix belongs to JPEG's marker, not to the block.
  memmove(saved, saved + sizeof prefix, size - sizeof prefix);
  *out = saved;
  *out_size = size - sizeof prefix;
  return 0;
}
