/// An in-place change of a filled buffer's pixels, which makes them what their format in Core Video says.
///
/// The driver writes over it with the next frame; nothing is copied, and formats that have a name of their own are not
/// touched at all.
package enum FrameTouchUp: Sendable, Hashable {
  /// NV21 to NV12: the two bytes of every pair of colour differences change places.
  case swapChroma
  /// A byte that means nothing becomes an opaque alpha, or pictures would be drawn see-through.
  case opaqueAlpha
  /// Grey from 16…235 to 0…255, for which alone Core Video has a name.
  case widenGrey
  /// The same with 16 bits.
  case widenDeepGrey

  /// The change that frames of a layout need; `nil` for most.
  package init?(_ layout: VideoLayout) {
    switch layout.format {
    case .nv21: self = .swapChroma
    case .bgr32, .abgr32, .xbgr32: self = .opaqueAlpha
    case .grey where !layout.isFullRange: self = .widenGrey
    case .y16 where !layout.isFullRange: self = .widenDeepGrey
    default: return nil
    }
  }

  private static let widened: [UInt8] = (0...255).map { level in
    UInt8(min(max((Double(level) - 16) * 255 / 219, 0), 255).rounded())
  }

  /// Changes the picture at `base`, which has ``VideoLayout/wholePictureBytes`` at least.
  ///
  /// Cost: one pass over the bytes that change; a tenth of a millisecond for the colours of 1080p.
  package func apply(to base: UnsafeMutableRawPointer, _ layout: VideoLayout) {
    let (width, height, stride) = (layout.size.width, layout.size.height, layout.strideBytes)
    switch self {
    case .swapChroma:
      for row in 0..<layout.chromaRows {
        let pairs = (base + stride * (height + row)).assumingMemoryBound(to: UInt16.self)
        for index in 0..<(width + 1) / 2 { pairs[index] = pairs[index].byteSwapped }
      }
    case .opaqueAlpha:
      for row in 0..<height {
        let pixels = (base + stride * row).assumingMemoryBound(to: UInt32.self)
        for index in 0..<width { pixels[index] |= UInt32(littleEndian: 0xFF00_0000) }
      }
    case .widenGrey:
      Self.widened.withUnsafeBufferPointer { widened in
        for row in 0..<height {
          let samples = (base + stride * row).assumingMemoryBound(to: UInt8.self)
          for index in 0..<width { samples[index] = widened[Int(samples[index])] }
        }
      }
    case .widenDeepGrey:
      for row in 0..<height {
        let samples = (base + stride * row).assumingMemoryBound(to: UInt16.self)
        for index in 0..<width {
          // Black is 16 and white 235 in the upper byte.
          let level = (Int(UInt16(littleEndian: samples[index])) - 16 << 8) * 65535
          samples[index] = UInt16(clamping: (level + 219 << 7) / (219 << 8)).littleEndian
        }
      }
    }
  }
}
