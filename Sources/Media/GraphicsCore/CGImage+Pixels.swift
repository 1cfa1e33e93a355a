package import Foundation

/// In which order ``CGImage/copyPixels8(into:bytesPerRow:order:alpha:)`` writes a pixel's bytes.
package enum PixelOrder: Sendable {
  /// Red first, alpha last.
  case rgba
  /// Blue first, alpha last, as in `kCVPixelFormatType_32BGRA`.
  case bgra
}

/// The treatment of alpha in written pixels: premultiplied or straight colours.
package enum AlphaTreatment: Sendable {
  /// Colours multiplied by alpha.
  case premultiplied
  /// Colours as they are where alpha is 1.
  case straight
}

extension CGImage {
  /// Writes the image as four bytes a pixel, in its own colour space.
  ///
  /// Gray is repeated in red, green and blue; a mask is black with alpha; floats and 16-bit numbers are rounded. No
  /// colours are converted.
  ///
  /// - Parameters:
  ///   - destination: At least `height` rows.
  ///   - bytesPerRow: From one row of `destination` to the next, at least `4 * width`.
  package func copyPixels8(
    into destination: UnsafeMutableRawPointer, bytesPerRow rowBytes: Int, order: PixelOrder,
    alpha treatment: AlphaTreatment
  ) {
    withBytes { source in
      guard let base = source.baseAddress else { return }
      let red = order == .rgba ? 0 : 2
      let layout = layout
      let isPlain = layout.component == .uint8 && decodeRanges == nil && layout.colorOffsets.count == 3
      let keepsAlpha = layout.alphaOffset == nil || layout.isPremultiplied == (treatment == .premultiplied)
      for y in 0..<height {
        let from = base + y * bytesPerRow
        let to = (destination + y * rowBytes).assumingMemoryBound(to: UInt8.self)
        if isPlain, keepsAlpha {
          copyRow8(from.assumingMemoryBound(to: UInt8.self), to, red: red, layout)
        } else {
          for x in 0..<width {
            let pixel = pixel(at: from + x * layout.bytesPerPixel, treatment)
            to[4 * x + red] = UInt8((pixel.x * 255).rounded())
            to[4 * x + 1] = UInt8((pixel.y * 255).rounded())
            to[4 * x + 2 - red] = UInt8((pixel.z * 255).rounded())
            to[4 * x + 3] = UInt8((pixel.w * 255).rounded())
          }
        }
      }
    }
  }

  /// Writes the image as four native 16-bit numbers a pixel, red first, alpha last, in its own colour space.
  ///
  /// - Parameters:
  ///   - destination: At least `height` rows.
  ///   - valuesPerRow: Numbers from one row of `destination` to the next, at least `4 * width`.
  package func copyPixels16(
    into destination: UnsafeMutablePointer<UInt16>, valuesPerRow: Int, alpha treatment: AlphaTreatment
  ) {
    withBytes { source in
      guard let base = source.baseAddress else { return }
      for y in 0..<height {
        let to = destination + y * valuesPerRow
        for x in 0..<width {
          let pixel = pixel(at: base + y * bytesPerRow + x * layout.bytesPerPixel, treatment)
          for index in 0..<4 { to[4 * x + index] = UInt16((pixel[index] * 65535).rounded()) }
        }
      }
    }
  }

  private func copyRow8(
    _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, red: Int, _ layout: BitmapLayout
  ) {
    let (r, g, b) = (layout.colorOffsets[0], layout.colorOffsets[1], layout.colorOffsets[2])
    let step = layout.bytesPerPixel
    if let a = layout.alphaOffset {
      if step == 4, r == red, g == 1, b == 2 - red, a == 3 {
        to.update(from: from, count: 4 * width)
        return
      }
      for x in 0..<width {
        let pixel = from + x * step
        to[4 * x + red] = pixel[r]
        to[4 * x + 1] = pixel[g]
        to[4 * x + 2 - red] = pixel[b]
        to[4 * x + 3] = pixel[a]
      }
    } else {
      for x in 0..<width {
        let pixel = from + x * step
        to[4 * x + red] = pixel[r]
        to[4 * x + 1] = pixel[g]
        to[4 * x + 2 - red] = pixel[b]
        to[4 * x + 3] = 255
      }
    }
  }

  /// One pixel as red, green, blue and alpha in 0…1.
  private func pixel(at address: UnsafeRawPointer, _ treatment: AlphaTreatment) -> SIMD4<Float> {
    func value(_ offset: Int) -> Float {
      switch layout.component {
      case .uint8:
        return Float(address.load(fromByteOffset: offset, as: UInt8.self)) / 255
      case .uint16(let isLittle):
        let bits = address.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return Float(isLittle ? UInt16(littleEndian: bits) : UInt16(bigEndian: bits)) / 65535
      case .float16(let isLittle):
        let bits = address.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return clamp(Float(half: isLittle ? UInt16(littleEndian: bits) : UInt16(bigEndian: bits)))
      case .float32(let isLittle):
        let bits = address.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return clamp(Float(bitPattern: isLittle ? UInt32(littleEndian: bits) : UInt32(bigEndian: bits)))
      }
    }
    func color(_ index: Int) -> Float {
      let stored = value(layout.colorOffsets[index])
      guard let ranges = decodeRanges?.values, ranges.count > 2 * index + 1 else { return stored }
      let (low, high) = (Float(ranges[2 * index]), Float(ranges[2 * index + 1]))
      return clamp(low + stored * (high - low))
    }
    let alpha = layout.alphaOffset.map(value) ?? 1
    var pixel: SIMD4<Float>
    switch layout.colorOffsets.count {
    case 0: pixel = [0, 0, 0, alpha]
    case 1:
      let gray = color(0)
      pixel = [gray, gray, gray, alpha]
    default: pixel = [color(0), color(1), color(2), alpha]
    }
    if layout.alphaOffset != nil, !layout.colorOffsets.isEmpty {
      switch (layout.isPremultiplied, treatment) {
      case (false, .premultiplied): pixel *= [alpha, alpha, alpha, 1]
      case (true, .straight) where alpha > 0:
        pixel = SIMD4(clamp(pixel.x / alpha), clamp(pixel.y / alpha), clamp(pixel.z / alpha), alpha)
      default: break
      }
    }
    return pixel
  }

  private func clamp(_ value: Float) -> Float {
    // NaN compares false to everything and becomes 0.
    value > 0 ? min(value, 1) : 0
  }
}

extension Float {
  /// An IEEE half as a single; written out because `Float16` needs hardware that Linux on x86-64 may not have.
  package init(half: UInt16) {
    let sign: Float = half & 0x8000 != 0 ? -1 : 1
    let exponent = Int(half >> 10) & 0x1F
    let fraction = Float(half & 0x3FF)
    switch exponent {
    case 0: self = sign * fraction * 0x1p-24
    case 31: self = fraction == 0 ? sign * .infinity : .nan
    default: self = sign * (1024 + fraction) * Float(sign: .plus, exponent: exponent - 25, significand: 1)
    }
  }
}

extension CGImage {
  /// An image of four bytes a pixel over `data`, rows without padding.
  ///
  /// - Parameters:
  ///   - data: `4 * width * height` bytes.
  ///   - order: Of the bytes of a pixel.
  ///   - alpha: `nil` for an opaque image, whose fourth byte means nothing.
  ///   - space: An RGB space.
  ///   - utType: The type of the file the pixels came from.
  package convenience init?(
    width: Int, height: Int, pixels data: Data, bytesPerRow: Int? = nil, order: PixelOrder,
    alpha: AlphaTreatment?, space: CGColorSpace, utType: String? = nil
  ) {
    let info: CGImageAlphaInfo
    switch (order, alpha) {
    case (.rgba, .premultiplied): info = .premultipliedLast
    case (.rgba, .straight): info = .last
    case (.rgba, nil): info = .noneSkipLast
    case (.bgra, .premultiplied): info = .premultipliedFirst
    case (.bgra, .straight): info = .first
    case (.bgra, nil): info = .noneSkipFirst
    }
    guard let provider = CGDataProvider(data: data) else { return nil }
    let byteOrder: CGBitmapInfo = order == .bgra ? .byteOrder32Little : .byteOrderDefault
    self.init(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32,
      bytesPerRow: bytesPerRow ?? 4 * width,
      space: space, bitmapInfo: CGBitmapInfo(rawValue: info.rawValue).union(byteOrder), source: provider,
      offset: 0,
      decode: nil, shouldInterpolate: true, intent: .defaultIntent, utType: utType)
  }
}
