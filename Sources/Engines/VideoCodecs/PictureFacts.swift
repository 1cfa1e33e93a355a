internal import CoreMedia
internal import Foundation

/// The facts of a stream's pictures beside size and colours: aperture, fields, depth and profile.
package struct PictureFacts: Sendable, Hashable {
  /// The part of a picture that is meant to be seen.
  package struct Aperture: Sendable, Hashable {
    /// Its size in pixels.
    package var width, height: Double
    /// The offset of its centre from the picture's, to the right and downwards.
    package var horizontalOffset, verticalOffset: Double

    /// An aperture of a size, with its centre's distance from the picture's.
    package init(width: Double, height: Double, horizontalOffset: Double, verticalOffset: Double) {
      self.width = width
      self.height = height
      self.horizontalOffset = horizontalOffset
      self.verticalOffset = verticalOffset
    }
  }

  /// The part that is meant to be seen; `nil` for all of it.
  package var aperture: Aperture?
  /// One for whole pictures, two for pictures whose lines are of two moments; two are coded as fields by x264.
  package var fieldCount: Int?
  /// The order of the fields, one of `kCMFormatDescriptionFieldDetail_…`.
  package var fieldDetail: String?
  /// Bits of a pixel.
  package var depth: Int?
  /// An ICC profile.
  package var profile: [UInt8]?

  /// Facts that leave all open.
  package init() {}

  /// Whether lines are of two moments.
  package var isInterlaced: Bool { fieldCount == 2 }

  /// Whether the line at the top belongs to the earlier field.
  var isTopFirst: Bool {
    fieldDetail != kCMFormatDescriptionFieldDetail_TemporalBottomFirst
      && fieldDetail != kCMFormatDescriptionFieldDetail_SpatialFirstLineLate
  }

  /// By `kCMFormatDescriptionExtension_…`.
  var extensions: [String: Any] {
    var values: [String: Any] = [:]
    if let aperture {
      values[kCMFormatDescriptionExtension_CleanAperture] = [
        kCMFormatDescriptionKey_CleanApertureWidth: aperture.width,
        kCMFormatDescriptionKey_CleanApertureHeight: aperture.height,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset: aperture.horizontalOffset,
        kCMFormatDescriptionKey_CleanApertureVerticalOffset: aperture.verticalOffset,
      ]
    }
    values[kCMFormatDescriptionExtension_FieldCount] = fieldCount
    values[kCMFormatDescriptionExtension_FieldDetail] = fieldDetail
    values[kCMFormatDescriptionExtension_Depth] = depth
    values[kCMFormatDescriptionExtension_ICCProfile] = profile.map { Data($0) }
    return values
  }
}
