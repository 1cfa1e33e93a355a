import Foundation

/// A small picture: rows of premultiplied BGRA without gaps.
public struct Thumbnail: Sendable, Equatable {
  public var width: Int
  public var height: Int
  public var bytes: Data

  /// A picture of these bytes.
  public init(width: Int, height: Int, bytes: Data) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  public static func == (one: Thumbnail, other: Thumbnail) -> Bool {
    one.width == other.width && one.height == other.height && one.bytes == other.bytes
  }
}
