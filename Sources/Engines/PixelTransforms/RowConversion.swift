internal import CYUV
internal import FoundationExtras

/// Writes one picture in the layout and encoding of another of the same size, row by row.
///
/// Every pair of layouts goes through rows of luma with half-width chroma, or rows of BGRA, that stay in the first
/// level cache; where a layout stores such rows itself they are used in place. Chroma is replicated on the way up and
/// averaged on the way down.
struct RowConversion: Sendable {
  let source: PixelView
  let target: PixelView
  let sourceEncoding: YCbCrEncoding
  let targetEncoding: YCbCrEncoding

  /// Converts all rows, in strips over `threads` threads.
  func run(threads: Int) {
    Tiles.forEachStrip(rows: target.height, pixels: target.width * target.height, threads: threads) { strip in
      convert(strip)
    }
  }

  /// Converts rows `strip`, whose start is even.
  private func convert(_ strip: Range<Int>) {
    switch (source.layout.isYCbCr, target.layout.isYCbCr) {
    case (true, true): lumaChroma(strip)
    case (true, false): lumaChromaToRGB(strip)
    case (false, true): rgbToLumaChroma(strip)
    case (false, false): rgb(strip)
    }
  }

  /// Lends `count` rows that fit any layout of this width.
  private func withRows(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
    let stride = (source.width * 4 + 4 + 63) / 64 * 64
    withUnsafeTemporaryAllocation(byteCount: stride * count, alignment: 64) { bytes in
      guard let base = bytes.baseAddress else { return }
      body(base.assumingMemoryBound(to: UInt8.self), stride)
    }
  }

  // MARK: - Between luma-chroma layouts

  private func lumaChroma(_ strip: Range<Int>) {
    let matrix = sourceEncoding.to(targetEncoding)
    let pairs = source.chromaWidth
    withRows(6) { scratch, stride in
      var y = strip.lowerBound
      while y < strip.upperBound {
        let rows = min(2, strip.upperBound - y)
        let isPlain = matrix == nil
        let upper = sourceRows(
          y, luma: isPlain ? lumaPlace(y) ?? scratch : scratch, chroma: scratch + stride)
        var lower = upper
        if rows == 2 {
          let place = scratch + 2 * stride
          lower = sourceRows(
            y + 1, luma: isPlain ? lumaPlace(y + 1) ?? place : place, chroma: scratch + 3 * stride,
            chromaOfRowAbove: upper.chroma)
        }
        if target.layout.sharesChromaRows {
          var chroma = upper.chroma
          if rows == 2, !source.layout.sharesChromaRows, !source.layout.isGray {
            chroma = isPlain ? chromaPlace(y) ?? scratch + 4 * stride : scratch + 4 * stride
            cam_yuv_average(upper.chroma, lower.chroma, chroma, Int32(2 * pairs))
          }
          store(y, upper.luma, lumaChroma: upper.chroma, chroma, matrix, scratch + 5 * stride)
          if rows == 2 {
            store(y + 1, lower.luma, lumaChroma: lower.chroma, nil, matrix, scratch + 5 * stride)
          }
        } else {
          store(y, upper.luma, lumaChroma: upper.chroma, upper.chroma, matrix, scratch + 4 * stride)
          if rows == 2 {
            store(y + 1, lower.luma, lumaChroma: lower.chroma, lower.chroma, matrix, scratch + 4 * stride)
          }
        }
        y += rows
      }
    }
  }

  /// Row `y` as luma and half-width chroma: the picture's own memory where it lies so, else unpacked.
  private func sourceRows(
    _ y: Int, luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>,
    chromaOfRowAbove: UnsafeMutablePointer<UInt8>? = nil
  ) -> (luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>) {
    let row = source.plane0.base + y * source.plane0.stride
    let pairs = source.chromaWidth
    switch source.layout.kind {
    case .biplanar420:
      return (row, source.plane1.base + y / 2 * source.plane1.stride)
    case .planar420:
      if let chromaOfRowAbove { return (row, chromaOfRowAbove) }
      cam_yuv_interleave(
        source.plane1.base + y / 2 * source.plane1.stride, source.plane2.base + y / 2 * source.plane2.stride,
        chroma, Int32(pairs))
      return (row, chroma)
    case .biplanar420Deep:
      row.withMemoryRebound(to: UInt16.self, capacity: source.width) {
        cam_yuv_narrow($0, luma, Int32(source.width))
      }
      if let chromaOfRowAbove { return (luma, chromaOfRowAbove) }
      (source.plane1.base + y / 2 * source.plane1.stride)
        .withMemoryRebound(to: UInt16.self, capacity: pairs * 2) {
          cam_yuv_narrow($0, chroma, Int32(pairs * 2))
        }
      return (luma, chroma)
    case .packed422(let lumaFirst):
      cam_yuv_unpack_422(row, luma, chroma, Int32(source.width), lumaFirst ? 1 : 0)
      return (luma, chroma)
    case .gray:
      if let chromaOfRowAbove { return (row, chromaOfRowAbove) }
      chroma.update(repeating: 128, count: pairs * 2)
      return (row, chroma)
    case .grayDeep:
      row.withMemoryRebound(to: UInt16.self, capacity: source.width) { samples in
        for x in 0..<source.width {
          // A 257th, rounded: white is 65535, not 65280.
          let value = UInt32(samples[x])
          luma[x] = UInt8(truncatingIfNeeded: (value &- value >> 8 &+ 128) >> 8)
        }
      }
      if let chromaOfRowAbove { return (luma, chromaOfRowAbove) }
      chroma.update(repeating: 128, count: pairs * 2)
      return (luma, chroma)
    case .rgb32, .rgb24:
      return (row, row)
    }
  }

  /// Writes row `y` from luma and chroma in the source's encoding; `chroma` is `nil` when a shared row stands.
  private func store(
    _ y: Int, _ luma: UnsafeMutablePointer<UInt8>, lumaChroma: UnsafeMutablePointer<UInt8>,
    _ chroma: UnsafeMutablePointer<UInt8>?, _ matrix: cam_yuv_to_yuv?, _ scratch: UnsafeMutablePointer<UInt8>
  ) {
    let row = target.plane0.base + y * target.plane0.stride
    let width = target.width
    let pairs = target.chromaWidth

    func writeLuma(_ place: UnsafeMutablePointer<UInt8>) {
      if var matrix {
        cam_yuv_row_to_luma(luma, lumaChroma, place, Int32(width), &matrix)
      } else if place != luma {
        place.update(from: luma, count: width)
      }
    }
    func writeChroma(_ chroma: UnsafeMutablePointer<UInt8>, _ place: UnsafeMutablePointer<UInt8>) {
      if var matrix {
        cam_yuv_row_to_chroma(chroma, place, Int32(pairs), &matrix)
      } else if place != chroma {
        place.update(from: chroma, count: pairs * 2)
      }
    }

    switch target.layout.kind {
    case .biplanar420:
      writeLuma(row)
      if let chroma { writeChroma(chroma, target.plane1.base + y / 2 * target.plane1.stride) }
    case .planar420:
      writeLuma(row)
      if let chroma {
        writeChroma(chroma, scratch)
        cam_yuv_split(
          scratch, target.plane1.base + y / 2 * target.plane1.stride,
          target.plane2.base + y / 2 * target.plane2.stride, Int32(pairs))
      }
    case .biplanar420Deep:
      writeLuma(scratch)
      row.withMemoryRebound(to: UInt16.self, capacity: width) { cam_yuv_widen(scratch, $0, Int32(width)) }
      if let chroma {
        writeChroma(chroma, scratch)
        (target.plane1.base + y / 2 * target.plane1.stride)
          .withMemoryRebound(to: UInt16.self, capacity: pairs * 2) {
            cam_yuv_widen(scratch, $0, Int32(pairs * 2))
          }
      }
    case .packed422(let lumaFirst):
      let chromaPlace = scratch + (width + 1) / 2 * 2
      writeLuma(scratch)
      if let chroma { writeChroma(chroma, chromaPlace) }
      cam_yuv_pack_422(scratch, chromaPlace, row, Int32(width), lumaFirst ? 1 : 0)
    case .gray:
      writeLuma(row)
    case .grayDeep:
      writeLuma(scratch)
      // The byte twice: white is 65535 as it is 255.
      row.withMemoryRebound(to: UInt16.self, capacity: width) { samples in
        for x in 0..<width { samples[x] = UInt16(scratch[x]) &* 257 }
      }
    case .rgb32, .rgb24:
      break
    }
  }

  // MARK: - To and from R′G′B′

  private func lumaChromaToRGB(_ strip: Range<Int>) {
    var matrix = sourceEncoding.toRGB
    let order = rgbOrder(of: target)
    withRows(3) { scratch, stride in
      var chromaAbove: UnsafeMutablePointer<UInt8>?
      for y in strip {
        let isSecond = y & 1 == 1 && source.layout.sharesChromaRows
        let rows = sourceRows(
          y, luma: scratch, chroma: scratch + stride, chromaOfRowAbove: isSecond ? chromaAbove : nil)
        chromaAbove = rows.chroma
        let row = target.plane0.base + y * target.plane0.stride
        if target.layout.kind == .rgb24 {
          cam_yuv_row_to_rgb(
            rows.luma, rows.chroma, scratch + 2 * stride, Int32(target.width), &matrix, order)
          cam_libyuv_bgra_to_rgb24(scratch + 2 * stride, row, Int32(target.width))
        } else {
          cam_yuv_row_to_rgb(rows.luma, rows.chroma, row, Int32(target.width), &matrix, order)
        }
      }
    }
  }

  private func rgbToLumaChroma(_ strip: Range<Int>) {
    var matrix = targetEncoding.fromRGB
    let width = Int32(source.width)
    withRows(5) { scratch, stride in
      var y = strip.lowerBound
      while y < strip.upperBound {
        let rows = min(2, strip.upperBound - y)
        let upper = bgraRow(y, scratch)
        let lower = rows == 2 ? bgraRow(y + 1, scratch + stride) : upper
        let luma = scratch + 2 * stride
        let chroma = scratch + 3 * stride
        for index in 0..<rows {
          let bgra = index == 0 ? upper : lower
          let place = lumaPlace(y + index) ?? luma
          cam_rgb_row_to_luma(bgra, place, width, &matrix)
          var shared: UnsafeMutablePointer<UInt8>? = chroma
          if target.layout.sharesChromaRows {
            if index == 0 {
              cam_rgb_rows_to_chroma(upper, lower, chroma, width, &matrix)
            } else {
              shared = nil
            }
          } else if !target.layout.isGray {
            cam_rgb_rows_to_chroma(bgra, bgra, chroma, width, &matrix)
          }
          store(y + index, place, lumaChroma: chroma, shared, nil, scratch + 4 * stride)
        }
        y += rows
      }
    }
  }

  /// The memory of row `y` of luma in the target itself, for layouts that store it plainly.
  private func lumaPlace(_ y: Int) -> UnsafeMutablePointer<UInt8>? {
    switch target.layout.kind {
    case .biplanar420, .planar420, .gray: target.plane0.base + y * target.plane0.stride
    default: nil
    }
  }

  /// The memory of row `y`'s chroma in the target itself, for layouts that store pairs plainly.
  private func chromaPlace(_ y: Int) -> UnsafeMutablePointer<UInt8>? {
    target.layout.kind == .biplanar420 ? target.plane1.base + y / 2 * target.plane1.stride : nil
  }

  private func rgb(_ strip: Range<Int>) {
    let width = Int32(source.width)
    withRows(1) { scratch, _ in
      for y in strip {
        let from = source.plane0.base + y * source.plane0.stride
        let to = target.plane0.base + y * target.plane0.stride
        switch (source.layout.kind, target.layout.kind) {
        case (.rgb32(let old), .rgb32(let new)) where old != new:
          cam_libyuv_shuffle(from, to, old.shuffle(to: new), width)
        case (.rgb32, .rgb32):
          to.update(from: from, count: Int(width) * 4)
        case (.rgb24, .rgb24):
          to.update(from: from, count: Int(width) * 3)
        case (.rgb24, .rgb32(.bgra)):
          cam_libyuv_rgb24_to_bgra(from, to, width)
        case (.rgb24, .rgb32(let order)):
          cam_libyuv_rgb24_to_bgra(from, scratch, width)
          cam_libyuv_shuffle(scratch, to, RGBOrder.bgra.shuffle(to: order), width)
        default:
          cam_libyuv_bgra_to_rgb24(bgraRow(y, scratch), to, width)
        }
      }
    }
  }

  /// Row `y` as BGRA: the picture's own memory, or shuffled into `scratch`.
  private func bgraRow(_ y: Int, _ scratch: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    let row = source.plane0.base + y * source.plane0.stride
    switch source.layout.kind {
    case .rgb32(.bgra):
      return row
    case .rgb32(let order):
      cam_libyuv_shuffle(row, scratch, order.shuffle(to: .bgra), Int32(source.width))
    default:
      cam_libyuv_rgb24_to_bgra(row, scratch, Int32(source.width))
    }
    return scratch
  }

  private func rgbOrder(of view: PixelView) -> [UInt8] {
    if case .rgb32(let order) = view.layout.kind { return order.bytes }
    return RGBOrder.bgra.bytes
  }
}
