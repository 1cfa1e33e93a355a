package import CoreVideo
package import Foundation
internal import FoundationExtras

/// Writes DNG files: a sensor's picture as it is, with what a developer must know of it (Adobe's Digital Negative 1.4).
///
/// The numbers of the mosaic are stored as they are. Stateless and thread-safe; runs on the caller's thread.
package enum DNGEncoder {
  /// The storage of the mosaic's numbers.
  package enum Storage: Sendable, Hashable, CaseIterable {
    /// In one byte each up to 8 bits, else in two.
    case whole
    /// In as many bits as they have, in rows of whole bytes: 62 % of the bytes for 10 bits, 75 % for 12.
    case packed
  }

  /// The colours of a camera under one light.
  package struct Colors: Sendable, Hashable {
    /// The light, as EXIF numbers it: 17 is a lamp of 2856 K, 21 is D65.
    package var illuminant: UInt16
    /// From CIE XYZ of what is seen to the camera's red, green and blue, row by row.
    package var matrix: [Double]

    /// Colours under a light; the matrix has nine numbers.
    package init(illuminant: UInt16 = 21, matrix: [Double]) {
      precondition(matrix.count == 9, "A matrix of colours has nine numbers.")
      self.illuminant = illuminant
      self.matrix = matrix
    }

    /// The colours of a camera whose own become linear sRGB by `matrix`, row by row, after they were multiplied by `gains`.
    ///
    /// `nil` for a matrix that cannot be turned round.
    package init?(illuminant: UInt16 = 21, toSRGB matrix: [Double], gains: [Double]) {
      // CIE XYZ of D65 to linear sRGB (IEC 61966-2-1).
      let fromXYZ = [
        3.240_969_942, -1.537_383_178, -0.498_610_760, -0.969_243_636, 1.875_967_502, 0.041_555_057,
        0.055_630_080, -0.203_976_959, 1.056_971_514,
      ]
      precondition(matrix.count == 9 && gains.count == 3, "A matrix has nine numbers, gains are three.")
      let gained = (0..<9).map { matrix[$0] * gains[$0 % 3] }
      guard let back = Self.inverse(gained) else { return nil }
      var product = [Double](repeating: 0, count: 9)
      for row in 0..<3 {
        for column in 0..<3 {
          for index in 0..<3 {
            product[3 * row + column] += back[3 * row + index] * fromXYZ[3 * index + column]
          }
        }
      }
      self.init(illuminant: illuminant, matrix: product)
    }

    private static func inverse(_ m: [Double]) -> [Double]? {
      let minors = [
        m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
        m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
        m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
      ]
      let determinant = m[0] * minors[0] + m[1] * minors[3] + m[2] * minors[6]
      guard abs(determinant) > 1e-12 else { return nil }
      return minors.map { minor in minor / determinant }
    }
  }

  /// The noise of a sensor: a number of brightness `x`, from 0 black to 1 white, varies by `shot · x + read`.
  package struct Noise: Sendable, Hashable {
    package var shot: Double
    package var read: Double

    package init(shot: Double, read: Double) {
      self.shot = shot
      self.read = read
    }
  }

  /// The options of a file.
  package struct Options: Sendable {
    /// The bits that a number has, 8 to 16, in the lower ones of its two bytes.
    package var bits = 14
    package var storage = Storage.whole
    /// The numbers that are black: one for all, or four as the upper left four pixels lie.
    package var blackLevels = [0.0]
    /// The number that is as bright as can be; `nil` for all ones.
    package var whiteLevel: Int?
    /// The camera's colours under one light, or under two.
    package var colors: [Colors] = []
    /// What the camera sees of the scene's white, red, green and blue, the largest 1; `nil` when that is not known.
    package var neutral: [Double]?
    /// For each of red, green and blue; empty when it is not known.
    package var noise: [Noise] = []
    /// The part of the picture that a developer shows; `nil` for all but two pixels at each edge, of which the colours that a place lacks
    /// are found.
    package var crop: (x: Int, y: Int, width: Int, height: Int)?
    /// 1…8 as in EXIF: how a viewer must lay the picture; the mosaic stays as it lies.
    package var orientation = 1
    /// The camera's name, as no other model has it.
    package var cameraModel = "Camera"
    /// Tags for the file's own directories: maker, time, exposure, place.
    package var exif = ExifBlock()
    /// A JPEG file of the developed picture.
    package var preview: Data?

    /// The options of a picture of 14 bits of which nothing is known.
    package init() {}
  }

  /// The file of a mosaic.
  ///
  /// - Parameters:
  ///   - buffer: `kCVPixelFormatType_14Bayer_…`, which says where the colours lie; two bytes a number whatever bits it has.
  ///   - options: How to write it.
  /// - Throws: ``StillCodecError``: `unsuitable` for another pixel format, options that do not fit each other, a preview that is no
  ///   JPEG, and files above 4 GiB.
  package static func encode(_ buffer: CVPixelBuffer, options: Options = Options()) throws -> Data {
    guard let pattern = patterns[buffer.format], buffer.width >= 2, buffer.height >= 2 else {
      throw unsuitable("the picture is no mosaic of red, green and blue")
    }
    guard (8...16).contains(options.bits), [1, 4].contains(options.blackLevels.count),
      options.noise.isEmpty || options.noise.count == 3, options.neutral.map({ $0.count == 3 }) ?? true,
      options.colors.count <= 2
    else { throw unsuitable("its options do not fit a mosaic of three colours") }
    var file = TIFFFile()
    let raw = try mosaic(buffer, pattern, options, &file)
    var first = camera(options)
    if let preview = options.preview {
      // The file's own directory is the preview's: programs that develop nothing show that.
      first.merge(try picture(preview, &file)) { _, new in new }
      file.directories = [[:], raw]
      first[Tag.subDirectories] = .directories([1])
    } else {
      first.merge(raw) { _, new in new }
      file.directories = [[:]]
    }
    addMetadata(options, to: &first, &file)
    file.directories[0] = first
    return try file.data()
  }

  private static func unsuitable(_ reason: String) -> StillCodecError {
    StillCodecError(.unsuitable, "The DNG file cannot be written: \(reason).")
  }

  /// Colours of the upper left four pixels: 0 red, 1 green, 2 blue.
  private static let patterns: [OSType: [UInt8]] = [
    kCVPixelFormatType_14Bayer_RGGB: [0, 1, 1, 2], kCVPixelFormatType_14Bayer_GRBG: [1, 0, 2, 1],
    kCVPixelFormatType_14Bayer_GBRG: [1, 2, 0, 1], kCVPixelFormatType_14Bayer_BGGR: [2, 1, 1, 0],
  ]
}
