/// A picture's width and height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size of `width` × `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width and height exchanged, as a quarter turn does.
  public var transposed: PixelSize {
    PixelSize(width: height, height: width)
  }

  /// `1920x1080`.
  public var description: String {
    "\(width)x\(height)"
  }

  /// The largest size of `aspect`'s shape that lies inside this one, rounded to whole pixels, at least 1×1.
  public func fitting(aspect: PixelSize) -> PixelSize {
    guard aspect.width > 0, aspect.height > 0 else { return self }
    if aspect.width * height >= width * aspect.height {
      return PixelSize(
        width: width, height: max(1, (width * aspect.height + aspect.width / 2) / aspect.width))
    }
    return PixelSize(
      width: max(1, (height * aspect.width + aspect.height / 2) / aspect.height), height: height)
  }
}

/// A rectangle of whole pixels; the origin is the top left corner, as pixel buffers store their rows.
public struct PixelRect: Sendable, Hashable, CustomStringConvertible {
  /// Pixels left of the rectangle.
  public var x: Int
  /// Pixels above the rectangle.
  public var y: Int
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// The rectangle with its top left corner at (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// All of a picture.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// Width and height.
  public var size: PixelSize {
    PixelSize(width: width, height: height)
  }

  /// `1440x1080+240+0`.
  public var description: String {
    "\(width)x\(height)+\(x)+\(y)"
  }

  /// The middle of a picture of `size`, cut to `aspect`'s shape.
  public static func center(of size: PixelSize, aspect: PixelSize) -> PixelRect {
    let inner = size.fitting(aspect: aspect)
    return PixelRect(
      x: (size.width - inner.width) / 2, y: (size.height - inner.height) / 2, width: inner.width,
      height: inner.height)
  }
}
