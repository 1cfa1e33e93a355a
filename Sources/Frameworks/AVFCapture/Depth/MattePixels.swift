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
    let pixels = try AuxiliaryPixels(dictionary, noun: "matte", kind: "one component of 8 bits") {
      $0 == kCVPixelFormatType_OneComponent8 ? 1 : nil
    }
    guard let buffer = make(pixels.width, pixels.height) else {
      throw AVError(.outOfMemory, because: "There is no memory for the matte.")
    }
    pixels.copy(to: buffer)
    return buffer
  }

  /// What a file can hold of them; the matte says the rest by its kind.
  static func dictionary(of buffer: CVPixelBuffer) -> [String: Any]? {
    AuxiliaryPixels.dictionary(of: buffer, bytesPerPixel: 1)
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
