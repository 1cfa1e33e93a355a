#include "CFFmpeg.h"

// RFC 3550, section 5.1; RFC 6184, section 5; RFC 7798, section 4.

static unsigned two_bytes(const uint8_t *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

/// What a NAL unit of this header is to the access unit that it lies in.
static cam_rtp_begin look(const uint8_t *unit, size_t size, bool is_hevc, bool *is_slice) {
  size_t header = is_hevc ? 2 : 1;
  if (size < header) return cam_rtp_begin_inside;
  unsigned type = is_hevc ? unit[0] >> 1 & 63 : unit[0] & 31;
  *is_slice = is_hevc ? type < 32 : type >= 1 && type <= 5;
  if (*is_slice) {
    // Its first bit: of H.264 that the first macroblock's number is zero.
    bool is_first = size > header && (unit[header] & 0x80) != 0;
    // Partitions B and C belong to one that came before.
    return is_first && (is_hevc || type == 1 || type == 2 || type == 5) ? cam_rtp_begin_unit : cam_rtp_begin_inside;
  }
  bool is_before = is_hevc ? (type >= 32 && type <= 35) || type == 39 : type >= 6 && type <= 9;
  return is_before ? cam_rtp_begin_unit : cam_rtp_begin_inside;
}

bool cam_rtp_payload(const uint8_t *packet, size_t size, size_t *begin, size_t *end) {
  if (size < 12 || packet[0] >> 6 != 2) return false;
  *begin = 12 + 4 * (size_t)(packet[0] & 15);
  *end = size;
  if ((packet[0] & 0x20) != 0 && 12u + packet[size - 1] <= size) *end -= packet[size - 1];
  if ((packet[0] & 0x10) != 0) {
    if (*begin + 4 > *end) return false;
    *begin += 4 + 4 * (size_t)two_bytes(packet + *begin + 2);
  }
  return *begin <= *end;
}

cam_rtp_part cam_rtp_part_of(const uint8_t *packet, size_t size, int payload_type, bool is_hevc) {
  cam_rtp_part part = {.begin = cam_rtp_begin_none};
  size_t begin = 0, end = 0;
  // Types from 192 on are RTCP's.
  if (size < 12 || (packet[1] >= 192 && packet[1] <= 223) || (packet[1] & 127) != payload_type) return part;
  if (!cam_rtp_payload(packet, size, &begin, &end)) return part;
  const uint8_t *payload = packet + begin;
  size = end - begin;
  size_t header = is_hevc ? 2 : 1;
  // Empty ones keep a way open.
  if (size <= header) return part;
  part.is_marked = (packet[1] & 128) != 0;
  part.time = (uint32_t)two_bytes(packet + 4) << 16 | two_bytes(packet + 6);
  unsigned type = is_hevc ? payload[0] >> 1 & 63 : payload[0] & 31;
  if (type == (is_hevc ? 48u : 24u)) {
    part.begin = cam_rtp_begin_inside;
    bool is_first = true;
    for (size_t place = header; place + 2 < size;) {
      size_t length = two_bytes(payload + place);
      place += 2;
      if (length > size - place) break;
      bool is_slice = false;
      cam_rtp_begin begins = look(payload + place, length, is_hevc, &is_slice);
      if (is_first) part.begin = begins;
      is_first = false;
      part.has_slice = part.has_slice || is_slice;
      place += length;
    }
    return part;
  }
  if (type == (is_hevc ? 49u : 28u)) {
    if (size < header + 2) return (cam_rtp_part){.begin = cam_rtp_begin_none};
    unsigned fragment = payload[header];
    uint8_t whole[3] = {is_hevc ? (uint8_t)((fragment & 63) << 1) : (uint8_t)(fragment & 31), payload[header + 1],
                        payload[header + 1]};
    cam_rtp_begin begins = look(whole, header + 1, is_hevc, &part.has_slice);
    part.begin = (fragment & 0x80) != 0 ? begins : cam_rtp_begin_inside;
    return part;
  }
  part.begin = look(payload, size, is_hevc, &part.has_slice);
  return part;
}
