internal import CaptureDevice
internal import Foundation
internal import FoundationExtras

/// The limits of a scene file, so that none takes the machine's time or memory.
enum SceneLimits {
  /// Bytes of the scene file.
  static let fileBytes = 16 << 20
  /// Values of all kinds in the file.
  static let values = 50_000
  /// Objects and lists inside each other; a scene needs six.
  static let depth = 16
  static let layers = 1000
  /// Poses, turns, blinks or places of the way of one layer.
  static let changes = 1000
  static let faults = 1000
  /// Frames a second of all cameras: from one in an hour on.
  static let rates = 1.0 / 3600...240
  /// Bytes of one text.
  static let textBytes = 4096
  /// Bytes of one picture file.
  static let pictureBytes = 64 << 20
  /// Pixels of one picture; a larger one is made smaller by 2, 4 or 8 along each edge.
  static let picturePixels = 32_000_000
  /// Pixels of all pictures together, each file counted once.
  static let allPixels = 48_000_000

  /// Refuses bytes that would take long to parse.
  ///
  /// Foundation's parser takes microseconds for each value; this counts a file's values in one pass over its bytes.
  static func check(_ json: Data, name: String) throws(CaptureDeviceError) {
    guard json.count <= fileBytes else {
      let problem = FileReadError.tooLarge(size: json.count, bound: fileBytes)
      throw SceneObject.error(name, "\(problem)")
    }
    var (depth, deepest, values) = (0, 0, 0)
    var (isText, isEscaped, hasZero) = (false, false, false)
    json.withUnsafeBytes { bytes in
      for byte in bytes {
        if isText {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isText = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: ","): values += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          values += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case 0: hasZero = true
        default: break
        }
      }
    }
    guard !hasZero else { throw SceneObject.error(name, "it is not JSON in UTF-8") }
    guard deepest <= Self.depth else {
      throw SceneObject.error(
        name, "it has \(deepest) objects and lists inside each other, and \(Self.depth) is the most")
    }
    guard values <= Self.values else {
      throw SceneObject.error(name, "it holds \(values) values, and \(Self.values) is the most")
    }
  }
}
