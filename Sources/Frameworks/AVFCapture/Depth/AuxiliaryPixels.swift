internal import AVFCore
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import ImageIO

/// The pixels of one plane in the dictionaries that describe what a picture file holds beside its picture.
struct AuxiliaryPixels {
  let width: Int
  let height: Int
  let format: OSType
  /// From the beginning of a row to that of the next one, and those of a row that are pixels.
  private let bytesPerRow: Int
  private let rowBytes: Int
  private let data: Data

  /// Finds the pixels in a dictionary.
  ///
  /// - Parameters:
  ///   - dictionary: What `CGImageSourceCopyAuxiliaryDataInfoAtIndex` returns, or made like that.
  ///   - noun: What the pixels are, for the error's sentence: `a matte`.
  ///   - kind: What is missing when the pixel format is another one: `one component of 8 bits`.
  ///   - bytes: The bytes of a pixel in a format; `nil` for one that is none of these.
  /// - Throws: ``AVError`` with `unknown` for pixels that do not fit their description; Apple names no code.
  init(
    _ dictionary: [AnyHashable: Any], noun: String, kind: String, bytes: (OSType) -> Int?
  ) throws {
    func malformed(_ reason: String) -> AVError {
      AVError(
        .unknown,
        because:
          "The dictionary holds no \(noun): \(reason); make one as CGImageSourceCopyAuxiliaryDataInfoAtIndex does."
      )
    }
    guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data else {
      throw malformed("there are no data")
    }
    guard let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [AnyHashable: Any],
      let width = LooseNumber.integer(description[kCGImagePropertyWidth]), (1...32768).contains(width),
      let height = LooseNumber.integer(description[kCGImagePropertyHeight]), (1...32768).contains(height),
      let format = LooseNumber.code(description[kCGImagePropertyPixelFormat]), let each = bytes(format)
    else { throw malformed("the data's description names no size and \(kind)") }
    let row = width * each
    let stride = LooseNumber.integer(description[kCGImagePropertyBytesPerRow]) ?? row
    guard (row...1 << 20).contains(stride), data.count >= stride * (height - 1) + row else {
      throw malformed("there are fewer data than the description says")
    }
    (self.width, self.height, self.format, self.data) = (width, height, format, data)
    (bytesPerRow, rowBytes) = (stride, row)
  }

  /// Writes the pixels into a buffer of their size and format.
  func copy(to buffer: CVPixelBuffer) {
    let plane = buffer.planes[0]
    for row in 0..<height {
      let start = data.startIndex + row * bytesPerRow
      plane.row(row).copyBytes(from: data[start..<start + rowBytes])
    }
  }

  /// The dictionary of a buffer's pixels, without metadata; `nil` when its memory cannot be had any more.
  static func dictionary(of buffer: CVPixelBuffer, bytesPerPixel: Int) -> [String: Any]? {
    guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let plane = buffer.planes.first else { return nil }
    let row = buffer.width * bytesPerPixel
    var data = Data(capacity: row * buffer.height)
    for index in 0..<buffer.height { data.append(contentsOf: plane.row(index).prefix(row)) }
    let description: [String: Any] = [
      kCGImagePropertyWidth: NSNumber(value: buffer.width),
      kCGImagePropertyHeight: NSNumber(value: buffer.height),
      kCGImagePropertyBytesPerRow: NSNumber(value: row),
      kCGImagePropertyPixelFormat: NSNumber(value: CVPixelBufferGetPixelFormatType(buffer)),
    ]
    return [kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description]
  }
}
