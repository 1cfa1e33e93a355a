/// The layout of one pixel of a bitmap in memory, worked out from Apple's flags.
package struct BitmapLayout: Sendable, Hashable {
  /// The number format of a component.
  package enum Component: Sendable, Hashable {
    /// 8-bit integers.
    case uint8
    /// 16-bit integers.
    case uint16(littleEndian: Bool)
    /// IEEE halves.
    case float16(littleEndian: Bool)
    /// IEEE singles.
    case float32(littleEndian: Bool)

    /// Bytes of one component.
    package var byteCount: Int {
      switch self {
      case .uint8: 1
      case .uint16, .float16: 2
      case .float32: 4
      }
    }
  }

  /// The number format of every component.
  package let component: Component
  /// Bytes from one pixel to the next.
  package let bytesPerPixel: Int
  /// Byte offsets of the colour components within a pixel: one for gray, three for RGB, none for a mask.
  package let colorOffsets: [Int]
  /// Byte offset of alpha; `nil` for opaque pixels.
  package let alphaOffset: Int?
  /// Whether the colours are multiplied by alpha.
  package let isPremultiplied: Bool

  /// The layout that the flags describe.
  ///
  /// - Returns: `nil` for packed pixels (5-6-5 and the like), flags that contradict each other, and models of other
  ///   than one or three components.
  package init?(bitsPerComponent: Int, bitsPerPixel: Int, bitmapInfo: CGBitmapInfo, colorComponents: Int) {
    guard let alpha = CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue),
      let order = CGImageByteOrderInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.byteOrderMask.rawValue),
      order != .orderMask
    else { return nil }
    let isFloat = bitmapInfo.contains(.floatComponents)
    switch (bitsPerComponent, isFloat) {
    case (8, false): component = .uint8
    case (16, false): component = .uint16(littleEndian: order == .order16Little)
    case (16, true): component = .float16(littleEndian: order == .order16Little)
    case (32, true): component = .float32(littleEndian: order == .order32Little)
    default: return nil
    }
    let extra: Int
    switch alpha {
    case .none: extra = 0
    case .alphaOnly: extra = 0
    default: extra = 1
    }
    let isMask = alpha == .alphaOnly
    guard isMask ? colorComponents <= 1 : colorComponents == 1 || colorComponents == 3 else { return nil }
    let count = isMask ? 1 : colorComponents + extra
    let size = component.byteCount
    guard bitsPerPixel == count * size * 8 else { return nil }
    bytesPerPixel = count * size

    let first = alpha == .first || alpha == .premultipliedFirst || alpha == .noneSkipFirst
    var offsets = (0..<count).map { $0 * size }
    if component == .uint8, order == .order32Little {
      guard count == 4 else { return nil }
      offsets.reverse()
    } else if component == .uint8, order == .order16Little || order == .order16Big {
      return nil
    }
    if isMask {
      colorOffsets = []
      alphaOffset = 0
    } else {
      colorOffsets = Array(first ? offsets[1...] : offsets[0..<colorComponents])
      switch alpha {
      case .premultipliedFirst, .first: alphaOffset = offsets[0]
      case .premultipliedLast, .last: alphaOffset = offsets[count - 1]
      default: alphaOffset = nil
      }
    }
    isPremultiplied = alpha == .premultipliedFirst || alpha == .premultipliedLast
  }
}
