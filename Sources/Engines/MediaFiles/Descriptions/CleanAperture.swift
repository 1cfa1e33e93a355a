internal import CoreMedia
internal import Foundation
internal import FoundationExtras

/// The part of pictures that is meant to be seen, as a sample description has it (`clap`).
///
/// Source: ISO/IEC 14496-12, 12.1.4. Offsets go from the middle of the picture to that of the part, to the right and downwards.
struct CleanAperture {
  private static let keys = [
    kCMFormatDescriptionKey_CleanApertureWidth, kCMFormatDescriptionKey_CleanApertureHeight,
    kCMFormatDescriptionKey_CleanApertureHorizontalOffset,
    kCMFormatDescriptionKey_CleanApertureVerticalOffset,
  ]
  /// Thousandths: what a file's fractions are rounded to.
  private static let denominator = 1000

  private let values: [Double]

  /// What a format says; `nil` when it says nothing.
  init?(_ format: CMFormatDescription) {
    guard
      let said = CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_CleanAperture) as? [String: Any]
    else { return nil }
    values = Self.keys.map { LooseNumber.double(said[$0]) ?? 0 }
    guard values[0] > 0, values[1] > 0, values.allSatisfy({ abs($0) <= 65536 }) else { return nil }
  }

  /// What the first sample description of a movie's track says; `nil` when it says nothing, or nonsense.
  init?(_ header: BoxReader, ofTrack number: Int) {
    // What is between a video description's head and its boxes.
    let fields = 78
    guard let entry = TrackBoxes(header).entry(ofTrack: number), entry.body.count > fields,
      let box = header.boxes(in: entry.body.lowerBound + fields..<entry.body.upperBound)
        .first(where: { $0.type == "clap" }), box.body.count >= 32
    else { return nil }
    values = (0..<4).map { index in
      let at = box.body.lowerBound + 8 * index
      let value = Int32(truncatingIfNeeded: header.u32(at) ?? 0)
      let divisor = header.u32(at + 4) ?? 0
      return divisor > 0 ? Double(value) / Double(divisor) : .nan
    }
    guard values.allSatisfy(\.isFinite), values[0] > 0, values[1] > 0 else { return nil }
  }

  /// Whether the part lies in pictures of a size.
  func fits(width: Int32, height: Int32) -> Bool {
    2 * abs(values[2]) + values[0] <= Double(width) && 2 * abs(values[3]) + values[1] <= Double(height)
  }

  /// The same as a format's extension.
  var dictionary: [String: Any] { Dictionary(uniqueKeysWithValues: zip(Self.keys, values)) }

  func write(to out: inout BoxWriter) {
    out.box("clap") { out in
      for value in values {
        let isWhole = value.rounded() == value
        let divisor = isWhole ? 1 : Self.denominator
        out.u32(Int((value * Double(divisor)).rounded()))
        out.u32(divisor)
      }
    }
  }
}
