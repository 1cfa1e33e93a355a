import Foundation

/// A small picture: rows of premultiplied BGRA without gaps.
package struct Thumbnail: Sendable, Equatable {
  package var width: Int
  package var height: Int
  package var bytes: Data

  /// A picture of these bytes.
  package init(width: Int, height: Int, bytes: Data) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  package static func == (one: Thumbnail, other: Thumbnail) -> Bool {
    one.width == other.width && one.height == other.height && one.bytes == other.bytes
  }
}
