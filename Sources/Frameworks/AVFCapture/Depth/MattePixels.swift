internal import AVFCore
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import ImageIO

/// The pixels of mattes: one byte each, 0 for nothing and 255 for all.
enum MattePixels {
  /// The pixels that a file's dictionary holds, copied.
  ///
  /// - Throws: ``AVError`` with `unknown`; Apple names no code.
  static func read(_ dictionary: [AnyHashable: Any]) throws -> CVPixelBuffer {
    func malformed(_ reason: String) -> AVError {
      AVError(
        .unknown,
        because:
          "The dictionary holds no matte: \(reason); make one as CGImageSourceCopyAuxiliaryDataInfoAtIndex does."
      )
    }
    guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data else {
      throw malformed("there are no data")
    }
    guard let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [AnyHashable: Any],
      let width = LooseNumber.integer(description[kCGImagePropertyWidth]), (1...32768).contains(width),
      let height = LooseNumber.integer(description[kCGImagePropertyHeight]), (1...32768).contains(height),
      LooseNumber.code(description[kCGImagePropertyPixelFormat]) == kCVPixelFormatType_OneComponent8
    else { throw malformed("the data's description names no size and one component of 8 bits") }
    let stride = LooseNumber.integer(description[kCGImagePropertyBytesPerRow]) ?? width
    guard (width...1 << 20).contains(stride), data.count >= stride * (height - 1) + width else {
      throw malformed("there are fewer data than the description says")
    }
    guard let buffer = make(width, height) else {
      throw AVError(.outOfMemory, because: "There is no memory for the matte.")
    }
    for row in 0..<height {
      let start = data.startIndex + row * stride
      buffer.planes[0].row(row).copyBytes(from: data[start..<start + width])
    }
    return buffer
  }

  /// What a file can hold of them; the matte says the rest by its kind.
  static func dictionary(of buffer: CVPixelBuffer) -> [String: Any]? {
    guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let (width, height) = (buffer.width, buffer.height)
    guard let plane = buffer.planes.first else { return nil }
    var data = Data(capacity: width * height)
    for row in 0..<height { data.append(contentsOf: plane.row(row).prefix(width)) }
    let description: [String: Any] = [
      kCGImagePropertyWidth: NSNumber(value: width), kCGImagePropertyHeight: NSNumber(value: height),
      kCGImagePropertyBytesPerRow: NSNumber(value: width),
      kCGImagePropertyPixelFormat: NSNumber(value: kCVPixelFormatType_OneComponent8),
    ]
    return [kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description]
  }

  /// The pixels of a matte that a client has made, which are not copied.
  ///
  /// - Throws: ``AVError`` with `unknown` for other pixel formats; Apple names no code.
  static func checked(_ buffer: CVPixelBuffer) throws -> CVPixelBuffer {
    guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_OneComponent8 else {
      throw AVError(
        .unknown, because: "A matte cannot have these pixels; give kCVPixelFormatType_OneComponent8.")
    }
    return buffer
  }

  /// The pixels turned and mirrored as a viewer does it to pictures with that EXIF orientation.
  ///
  /// `nil` where there is no memory for them.
  static func turned(_ buffer: CVPixelBuffer, by orientation: CGImagePropertyOrientation) -> CVPixelBuffer? {
    guard let change = OrientationTable.changes.first(where: { $0.exif == orientation }), change.exif != .up
    else { return buffer }
    let (width, height) = (buffer.width, buffer.height)
    let isSideways = change.rotation % 180 != 0
    guard let target = make(isSideways ? height : width, isSideways ? width : height),
      CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess
    else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let rows = (0..<height).map { buffer.planes[0].row($0) }
    for y in 0..<target.height {
      let out = target.planes[0].row(y)
      for column in 0..<target.width {
        let x = change.isMirrored ? target.width - 1 - column : column
        out[column] =
          switch change.rotation {
          case 90: rows[height - 1 - x][y]
          case 180: rows[height - 1 - y][width - 1 - x]
          case 270: rows[x][width - 1 - y]
          default: rows[y][x]
          }
      }
    }
    withExtendedLifetime((buffer, target)) {}
    return target
  }

  /// A buffer of a matte's pixels; `nil` where there is no memory for it.
  static func make(_ width: Int, _ height: Int) -> CVPixelBuffer? {
    try? CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: width, height: height)
  }
}
