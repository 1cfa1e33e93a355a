import DrawingCore
import Foundation
import GraphicsCore

/// A context and its pixels.
final class Canvas {
  let context: CGContext
  private let isRedFirst: Bool

  init(
    _ width: Int, _ height: Int, isRedFirst: Bool = true, isOpaque: Bool = false,
    space: CGColorSpace = CGColorSpaceCreateDeviceRGB()
  ) {
    self.isRedFirst = isRedFirst
    let alpha: CGImageAlphaInfo =
      isRedFirst
      ? (isOpaque ? .noneSkipLast : .premultipliedLast) : (isOpaque ? .noneSkipFirst : .premultipliedFirst)
    let order: CGBitmapInfo = isRedFirst ? .byteOrderDefault : .byteOrder32Little
    guard
      let context = CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: space,
        bitmapInfo: alpha.rawValue | order.rawValue)
    else { fatalError("There is no context of \(width) by \(height) pixels.") }
    self.context = context
  }

  /// Red, green, blue and alpha of a pixel, counted from the upper left corner.
  subscript(x: Int, y: Int) -> [Int] {
    guard let data = context.data else { return [] }
    let pixel = data.assumingMemoryBound(to: UInt8.self) + y * context.bytesPerRow + 4 * x
    return (isRedFirst ? [0, 1, 2, 3] : [2, 1, 0, 3]).map { Int(pixel[$0]) }
  }

  /// How many pixels are not nothing.
  var inkCount: Int { ink { $0 > 0 } }

  func ink(_ counts: (_ alpha: Int) -> Bool) -> Int {
    (0..<context.height).reduce(0) { sum, y in
      sum + (0..<context.width).count { counts(self[$0, y][3]) }
    }
  }

  /// Draws as UIKit does: the y axis points down.
  func drawDown(_ body: () -> Void) {
    context.saveGState()
    context.translateBy(x: 0, y: CGFloat(context.height))
    context.scaleBy(x: 1, y: -1)
    UIGraphicsPushContext(context)
    body()
    UIGraphicsPopContext()
    context.restoreGState()
  }
}

extension CGImage {
  /// A picture of coloured fields, each one pixel, from the upper left corner.
  static func fields(
    _ rows: [[(UInt8, UInt8, UInt8, UInt8)]], space: CGColorSpace = CGColorSpaceCreateDeviceRGB()
  )
    -> CGImage
  {
    let bytes = rows.flatMap { $0.flatMap { [$0.0, $0.1, $0.2, $0.3] } }
    guard let provider = CGDataProvider(data: Data(bytes)),
      let image = CGImage(
        width: rows[0].count, height: rows.count, bitsPerComponent: 8, bitsPerPixel: 32,
        bytesPerRow: 4 * rows[0].count, space: space,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue), provider: provider,
        decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    else { fatalError("There is no image of \(rows.count) rows.") }
    return image
  }
}
