#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// Walks the Huffman codes of a baseline scan without decoding a pixel.
//
// libjpeg notices when codes run out or run over, but lets pass what no encoder writes: coefficients behind the 63rd, and
// values beyond what eight-bit samples transform to. A frame that lost a packet of USB, or that ends as the frame before it,
// nearly always has some of these before its codes fall into step again.

enum { LOOK = 10 };
// More bytes than this behind the last code are a part of a picture and not an encoder's habit.
enum { MOST_LEFT = 64 };
// So many before a restart are an encoder's habit: several webcams end each interval on a word or two of their own.
enum { MOST_BEFORE_RESTART = 16 };

struct codes {
  // By the next LOOK bits; a length of 0 stands for longer codes.
  struct {
    uint8_t length;  // Of the code.
    uint8_t symbol;
    uint8_t all;    // Of the code with its value, or 0 when that does not fit.
    int16_t value;  // When it fits.
  } look[1 << LOOK];
  int32_t last[17];    // The greatest code of each length, or -1.
  int32_t offset[17];  // From a code of that length to its symbol's place.
  const uint8_t *symbols;
};

struct bits {
  const uint8_t *next, *end;
  uint64_t buffer;  // The next bit on top.
  int count;
  int zeros;  // How many words of nothing but zeros have come in a row.
};

// ISO/IEC 10918-1, K.3: what motion JPEG leaves out. Lengths, then symbols; of luma, then chroma.
static const uint8_t dc_lengths[2][17] = {
  {0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}};
static const uint8_t dc_symbols[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t ac_lengths[2][17] = {
  {0, 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D}, {0, 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77}};
static const uint8_t ac_symbols[2][162] = {
  {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
   0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
   0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37,
   0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
   0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
   0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3,
   0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
   0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
   0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA},
  {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
   0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
   0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36,
   0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
   0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
   0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A,
   0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA,
   0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
   0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA}};

size_t cam_jpeg_standard_tables(uint8_t *segment) {
  uint8_t *at = segment;
  *at++ = 0xFF;
  *at++ = 0xC4;
  *at++ = (CAM_JPEG_STANDARD_TABLES_SIZE - 2) >> 8;
  *at++ = (CAM_JPEG_STANDARD_TABLES_SIZE - 2) & 255;
  for (int kind = 0; kind < 2; kind++) {
    for (int chroma = 0; chroma < 2; chroma++) {
      *at++ = (uint8_t)(kind << 4 | chroma);
      memcpy(at, (kind ? ac_lengths : dc_lengths)[chroma] + 1, 16);
      at += 16;
      size_t count = kind ? 162 : 12;
      memcpy(at, kind ? ac_symbols[chroma] : dc_symbols, count);
      at += count;
    }
  }
  return (size_t)(at - segment);
}

// F.2.2.1, EXTEND.
static inline int extended(int raw, int size) {
  return raw < 1 << (size - 1) ? raw - (1 << size) + 1 : raw;
}

// Annex C; 0 when the lengths leave no room for a code of all ones or name more symbols than there are.
static int build(struct codes *codes, const uint8_t lengths[17], const uint8_t *symbols) {
  memset(codes->look, 0, sizeof codes->look);
  codes->symbols = symbols;
  int32_t code = 0;
  int place = 0;
  for (int length = 1; length <= 16; length++) {
    codes->offset[length] = place - code;
    for (int i = 0; i < lengths[length]; i++, code++, place++) {
      if (code >= 1 << length || place >= 256) return 0;
      if (length > LOOK) continue;
      const int room = LOOK - length, size = symbols[place] & 15;
      for (int rest = 0; rest < 1 << room; rest++) {
        const int at = code << room | rest;
        codes->look[at].length = (uint8_t)length;
        codes->look[at].symbol = symbols[place];
        if (size == 0 || size > room) continue;
        const int raw = rest >> (room - size);
        codes->look[at].all = (uint8_t)(length + size);
        codes->look[at].value = (int16_t)extended(raw, size);
      }
    }
    codes->last[length] = lengths[length] ? code - 1 : -1;
    code <<= 1;
  }
  return 1;
}

static int table(struct codes *codes, const JHUFF_TBL *own, int is_ac, int index) {
  if (own) return build(codes, own->bits, own->huffval);
  if (index > 1) return 0;
  return is_ac ? build(codes, ac_lengths[index], ac_symbols[index])
               : build(codes, dc_lengths[index], dc_symbols);
}

static inline void fill(struct bits *bits) {
  while (bits->count <= 56) {
    if (bits->end - bits->next >= 8) {
      uint64_t word;
      memcpy(&word, bits->next, 8);
      // Whether any byte is 0xFF.
      uint64_t inverse = ~word;
      if (!((inverse - 0x0101010101010101u) & word & 0x8080808080808080u)) {
        int bytes = (64 - bits->count) / 8;
        uint64_t high = __builtin_bswap64(word);
        if (bytes < 8) high &= ~(uint64_t)0 << (64 - 8 * bytes);
        bits->buffer |= high >> bits->count;
        bits->count += 8 * bytes;
        bits->next += bytes;
        bits->zeros = word ? 0 : bits->zeros + 1;
        return;
      }
    }
    if (bits->next == bits->end) return;
    uint8_t byte = *bits->next;
    if (byte == 0xFF) {
      if (bits->end - bits->next < 2 || bits->next[1] != 0) return;
      bits->next++;
    }
    bits->next++;
    bits->buffer |= (uint64_t)byte << (56 - bits->count);
    bits->count += 8;
  }
}

static inline void skip(struct bits *bits, int count) {
  bits->buffer <<= count;
  bits->count -= count;
}

// The next symbol whose code is longer than LOOK bits; -1 when the bits mean none.
static int long_symbol(struct bits *bits, const struct codes *codes) {
  for (int length = LOOK + 1; length <= 16; length++) {
    int32_t code = (int32_t)(bits->buffer >> (64 - length));
    if (code > codes->last[length]) continue;
    skip(bits, length);
    return codes->symbols[code + codes->offset[length]];
  }
  return -1;
}

// The next symbol, and its value of as many bits as the symbol's lower half says; -1 when the bits mean none.
// Where the data ends zeros follow, and the count of bits goes below 0.
static inline int symbol(struct bits *bits, const struct codes *codes, int *value) {
  // A code and its value take 31 bits at most.
  if (bits->count < 31) fill(bits);
  const __typeof__(codes->look[0]) *entry = &codes->look[bits->buffer >> (64 - LOOK)];
  *value = entry->value;
  if (entry->all) {
    skip(bits, entry->all);
    return entry->symbol;
  }
  int symbol = entry->symbol;
  if (entry->length) skip(bits, entry->length);
  else symbol = long_symbol(bits, codes);
  const int size = symbol & 15;
  if (symbol < 0 || size == 0) return symbol;
  *value = extended((int)(bits->buffer >> (64 - size)), size);
  skip(bits, size);
  return symbol;
}

struct part {
  const struct codes *dc, *ac;
  int blocks;
  int prediction;
  // By place in zigzag order, the greatest value that eight-bit samples can have made.
  int limit[64];
};

// NULL when the block is what an encoder may have written.
static const char *check_block(struct bits *shared, struct part *part) {
  // In registers.
  struct bits bits = *shared;
  int number;
  int code = symbol(&bits, part->dc, &number);
  if (code < 0) return "its codes mean nothing";
  if (code > 11) return "a brightness steps farther than there is room";
  if (code) {
    part->prediction += number;
    if (abs(part->prediction) > part->limit[0]) return "a block is brighter or darker than can be";
  }
  const struct codes *ac = part->ac;
  for (int place = 1; place < 64; place++) {
    code = symbol(&bits, ac, &number);
    if ((code & 15) == 0) {
      if (code == 0) break;
      if (code != 0xF0) return "a code of another kind of JPEG stands in it";
      place += 15;
      if (place >= 63) return "a block has more than 64 values";
      continue;
    }
    if (code < 0) return "its codes mean nothing";
    place += code >> 4;
    if (place > 63) return "a block has more than 64 values";
    if (abs(number) > part->limit[place]) return "a value is larger than can be";
  }
  if (bits.count < 0) return "its codes end before the picture does";
  // Zeros are an empty block only by tables that are made so; by others they stand where data is missing.
  if (bits.zeros > 1 && ac->look[0].symbol != 0) return "a part of it is empty";
  *shared = bits;
  return NULL;
}

// Behind the last code of a scan or of an interval: goes on to the next marker. Returns how many bytes lie before it that
// are no filler, and 0 for a filler that is no longer than a word: encoders end on whole words, of up to eight bytes.
static long rest(struct bits *bits) {
  int whole = bits->count / 8;
  long count = whole;
  const uint8_t *at = bits->next;
  int is_filler = 1;
  for (int i = 0; i < whole; i++) {
    uint8_t byte = (uint8_t)(bits->buffer << (bits->count % 8) >> (56 - 8 * i));
    if (byte != 0 && byte != 0xFF) is_filler = 0;
  }
  while (at < bits->end && !(*at == 0xFF && at + 1 < bits->end && at[1] != 0 && at[1] != 0xFF)) {
    if (*at != 0 && *at != 0xFF) is_filler = 0;
    // A stuffed zero belongs to its 0xFF.
    if (*at != 0xFF) count++;
    at++;
  }
  bits->next = at;
  bits->buffer = 0;
  bits->count = 0;
  // Without a marker the filler is padding behind a picture without an end marker.
  return is_filler && (count <= 7 || at == bits->end) ? 0 : count;
}

static const char *walk(struct jpeg_decompress_struct *info, struct codes tables[8], const uint8_t **end, long *left) {
  static const uint8_t natural[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
  struct part parts[4];
  int most_x = 1, most_y = 1;
  const int count = info->comps_in_scan;
  for (int i = 0; i < count; i++) {
    const jpeg_component_info *own = info->cur_comp_info[i];
    const JQUANT_TBL *steps =
      own->quant_tbl_no >= 0 && own->quant_tbl_no < 4 ? info->quant_tbl_ptrs[own->quant_tbl_no] : NULL;
    if (!steps) return "it has no quantization table";
    if (own->dc_tbl_no < 0 || own->dc_tbl_no > 3 || own->ac_tbl_no < 0 || own->ac_tbl_no > 3) {
      return "it has no such Huffman table";
    }
    struct part *part = &parts[i];
    part->dc = &tables[own->dc_tbl_no];
    part->ac = &tables[4 + own->ac_tbl_no];
    if (!table(&tables[own->dc_tbl_no], info->dc_huff_tbl_ptrs[own->dc_tbl_no], 0, own->dc_tbl_no)
        || !table(&tables[4 + own->ac_tbl_no], info->ac_huff_tbl_ptrs[own->ac_tbl_no], 1, own->ac_tbl_no)) {
      return "it has a Huffman table that cannot be";
    }
    part->blocks = count == 1 ? 1 : own->h_samp_factor * own->v_samp_factor;
    part->prediction = 0;
    for (int place = 0; place < 64; place++) {
      int step = steps->quantval[natural[place]];
      if (step == 0) return "it has a quantization table that cannot be";
      // A block of eight-bit samples transforms to 1024 at most; an eighth more for encoders' approximations.
      part->limit[place] = 1152 / step + 1;
    }
    if (own->h_samp_factor > most_x) most_x = own->h_samp_factor;
    if (own->v_samp_factor > most_y) most_y = own->v_samp_factor;
  }
  if (count == 1) most_x = most_y = 1;
  const long across = (info->image_width + 8 * most_x - 1) / (8 * most_x);
  const long down = (info->image_height + 8 * most_y - 1) / (8 * most_y);
  struct bits bits = {info->src->next_input_byte, info->src->next_input_byte + info->src->bytes_in_buffer, 0, 0, 0};
  const long interval = info->restart_interval;
  long most_before = 0;
  for (long unit = 0; unit < across * down; unit++) {
    if (interval && unit && unit % interval == 0) {
      const long before = rest(&bits);
      if (before > MOST_LEFT) return "codes are left over before a restart";
      if (before > MOST_BEFORE_RESTART && before > most_before) most_before = before;
      if (bits.end - bits.next < 2 || bits.next[1] != 0xD0 + (unit / interval - 1) % 8) return "a restart is missing";
      bits.next += 2;
      for (int i = 0; i < count; i++) parts[i].prediction = 0;
    }
    for (int i = 0; i < count; i++) {
      for (int block = 0; block < parts[i].blocks; block++) {
        const char *fault = check_block(&bits, &parts[i]);
        if (fault) return fault;
      }
    }
  }
  const uint8_t *behind = bits.next - bits.count / 8;
  *left = rest(&bits);
  // Some encoders end the last interval as they end each.
  if (interval && bits.end - bits.next >= 2 && bits.next[1] == 0xD0 + ((across * down - 1) / interval) % 8) {
    if (*left <= MOST_BEFORE_RESTART) *left = 0;
    bits.next += 2;
    behind = bits.next;
    const long more = rest(&bits);
    if (more > *left) *left = more;
  }
  if (most_before > *left) *left = most_before;
  if (*left > MOST_LEFT) return "codes are left over behind the picture";
  if (bits.end - bits.next >= 2) {
    if (bits.next[1] != 0xD9) return "it has no end marker behind the picture";
    *end = bits.next + 2;
  } else {
    *end = behind < bits.end ? behind : bits.end;
  }
  return NULL;
}

struct check_error {
  struct jpeg_error_mgr base;
  jmp_buf exit;
};

static void leave(j_common_ptr info) { longjmp(((struct check_error *)info->err)->exit, 1); }
static void ignore(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}

cam_jpeg_verdict cam_jpeg_check(const uint8_t *bytes, size_t size, size_t *length, char *message) {
  struct jpeg_decompress_struct info;
  struct check_error error;
  struct codes *volatile tables = NULL;
  memset(&info, 0, sizeof info);
  info.err = jpeg_std_error(&error.base);
  error.base.error_exit = leave;
  error.base.emit_message = ignore;
  if (setjmp(error.exit)) {
    char text[JMSG_LENGTH_MAX];
    info.err->format_message((j_common_ptr)&info, text);
    snprintf(message, CAM_MESSAGE_SIZE, "%s", text);
    jpeg_destroy_decompress(&info);
    free(tables);
    return CAM_JPEG_BROKEN;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, size);
  jpeg_read_header(&info, TRUE);
  if (info.progressive_mode || info.arith_code || info.data_precision != 8 || info.comps_in_scan != info.num_components
      || info.Ss != 0 || info.Se != 63 || info.Ah != 0 || info.Al != 0) {
    jpeg_destroy_decompress(&info);
    return CAM_JPEG_OTHER_KIND;
  }
  tables = malloc(8 * sizeof *tables);
  const char *fault = "there is no memory to check it";
  const uint8_t *end = bytes + size;
  long left = 0;
  if (tables) fault = walk(&info, tables, &end, &left);
  free(tables);
  jpeg_destroy_decompress(&info);
  if (fault) {
    snprintf(message, CAM_MESSAGE_SIZE, "%s", fault);
    return CAM_JPEG_BROKEN;
  }
  *length = (size_t)(end - bytes);
  // One byte too many is common.
  return left > 1 ? CAM_JPEG_LEFT_OVER : CAM_JPEG_WHOLE;
}
