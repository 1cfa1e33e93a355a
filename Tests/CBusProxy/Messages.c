#include "Messages.h"

#include <string.h>

enum { kReturn = 2, kError = 3, kNoReply = 1, kVersion = 1, kErrorName = 4, kReplySerial = 5, kDestination = 6, kSender = 7 };

static uint32_t number_at(const uint8_t *bytes) {
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return number;
}

static size_t aligned(size_t offset, size_t unit) { return (offset + unit - 1) / unit * unit; }

size_t bus_unit_length(const uint8_t *bytes, size_t count, int *is_message) {
  *is_message = count > 0 && bytes[0] == 'l';
  if (!*is_message) {
    const uint8_t *end = memchr(bytes, '\n', count);
    return end ? (size_t)(end - bytes) + 1 : 0;
  }
  if (count < 16) return 0;
  size_t length = aligned(16 + (size_t)number_at(bytes + 12), 8) + number_at(bytes + 4);
  return length <= count ? length : 0;
}

struct writer {
  uint8_t *bytes;
  size_t room, length;
};

static void put(struct writer *writer, const void *bytes, size_t count, size_t alignment) {
  size_t start = aligned(writer->length, alignment);
  if (start + count <= writer->room) {
    memset(writer->bytes + writer->length, 0, start - writer->length);
    memcpy(writer->bytes + start, bytes, count);
  }
  writer->length = start + count;
}

static void put_number(struct writer *writer, uint32_t number) { put(writer, &number, sizeof number, 4); }

static void put_field(struct writer *writer, uint8_t code, char type) {
  const uint8_t begin[] = {code, 1, (uint8_t)type, 0};
  put(writer, begin, sizeof begin, 8);
}

static void put_text_field(struct writer *writer, uint8_t code, const char *text, size_t length) {
  put_field(writer, code, 's');
  put_number(writer, (uint32_t)length);
  put(writer, text, length, 1);
  put(writer, "", 1, 1);
}

size_t bus_error_for(const uint8_t *message, size_t length, uint8_t *error, size_t room) {
  if (length < 16 || message[1] != kReturn) return 0;
  const uint8_t head[] = {'l', kError, kNoReply, kVersion};
  struct writer writer = {error, room, 0};
  put(&writer, head, sizeof head, 1);
  put_number(&writer, 0);
  put_number(&writer, number_at(message + 8));
  put_number(&writer, 0);
  const char name[] = "org.freedesktop.DBus.Error.Failed";
  put_text_field(&writer, kErrorName, name, sizeof name - 1);
  size_t end = 16 + (size_t)number_at(message + 12);
  for (size_t place = 16; place + 8 <= end && end <= length;) {
    uint8_t code = message[place], type = message[place + 2];
    size_t value = aligned(place + 4, type == 'g' ? 1 : 4);
    if (type == 'u') {
      if (code == kReplySerial) {
        put_field(&writer, code, 'u');
        put_number(&writer, number_at(message + value));
      }
      place = aligned(value + 4, 8);
    } else if (type == 'g') {
      place = aligned(value + message[value] + 2, 8);
    } else {
      size_t text = number_at(message + value);
      if (code == kDestination || code == kSender)
        put_text_field(&writer, code, (const char *)message + value + 4, text);
      place = aligned(value + 4 + text + 1, 8);
    }
  }
  if (writer.length + 8 > room) return 0;
  uint32_t fields = (uint32_t)(writer.length - 16);
  memcpy(error + 12, &fields, sizeof fields);
  size_t whole = aligned(writer.length, 8);
  memset(error + writer.length, 0, whole - writer.length);
  return whole;
}
