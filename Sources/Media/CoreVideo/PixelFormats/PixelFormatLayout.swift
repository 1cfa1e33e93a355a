package import FoundationExtras

/// The layout of one format's pixels in memory.
package struct PixelFormatLayout: Sendable {
  /// The kinds of values in a pixel, such as colours, opacity or a distance.
  package struct Contents: OptionSet, Sendable {
    /// The bits.
    package let rawValue: Int

    /// The contents with these bits.
    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Red, green, and blue.
    package static let rgb = Contents(rawValue: 1)
    /// Luma and colour differences.
    package static let yCbCr = Contents(rawValue: 2)
    /// Lightness only.
    package static let grayscale = Contents(rawValue: 4)
    /// Opacity.
    package static let alpha = Contents(rawValue: 8)
    /// One colour filter per pixel.
    package static let sensel = Contents(rawValue: 16)
    /// A distance.
    package static let depth = Contents(rawValue: 32)
  }

  /// The range of numbers between black and white.
  package enum ComponentRange: Sendable {
    /// 16 to 235 (and 240) of 255, or the same in more bits.
    case video
    /// 0 to the largest number.
    case full
    /// Beyond black and white on both sides.
    case wide
  }

  /// One plane: blocks of pixels in rows.
  package struct Plane: Sendable, Hashable {
    /// How many columns of the picture one column of the plane stands for.
    package var horizontalSubsampling = 1
    /// How many rows of the picture one row of the plane stands for.
    package var verticalSubsampling = 1
    /// How many columns one block holds.
    package var blockWidth = 1
    /// The size of a block in bits.
    package var bitsPerBlock: Int
    /// The format's own alignment of rows, in bytes.
    package var rowAlignment = 1

    /// How many columns the plane has for a picture `width` wide; odd widths round up.
    package func width(ofPicture width: Int) -> Int {
      (width + horizontalSubsampling - 1) / horizontalSubsampling
    }

    /// How many rows the plane has for a picture `height` high; odd heights round up.
    package func height(ofPicture height: Int) -> Int {
      (height + verticalSubsampling - 1) / verticalSubsampling
    }

    /// The fewest bytes that hold `width` columns of this plane.
    ///
    /// - Parameter aligned: Whether to round up to ``rowAlignment``, which memory of others may not keep.
    package func minimumBytesPerRow(planeWidth width: Int, aligned: Bool = true) -> Int {
      let blocks = (width + blockWidth - 1) / blockWidth
      return ((blocks * bitsPerBlock + 7) / 8).roundedUp(toMultipleOf: aligned ? rowAlignment : 1)
    }
  }

  /// The format.
  package let code: OSType
  /// The name of Apple's constant.
  package let name: String
  /// One for packed formats; in memory order for planar ones.
  package let planes: [Plane]
  /// The kinds of values in a pixel.
  package let contents: Contents
  /// Which numbers stand for black and white; `nil` where that has no meaning.
  package let range: ComponentRange?
  /// The size of one component in bits; 0 when components differ.
  package let bitsPerComponent: Int
  /// Whether `CVPixelBufferIsPlanar` says so: two or more planes.
  package var isPlanar: Bool { planes.count > 1 }

  /// The layout of `code`, or `nil` when no buffer can be made in it.
  package static func layout(of code: OSType) -> PixelFormatLayout? {
    byCode[code]
  }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
}

extension Int {
  /// The smallest multiple of `step` that is not less.
  package func roundedUp(toMultipleOf step: Int) -> Int {
    (self + step - 1) / step * step
  }
}
