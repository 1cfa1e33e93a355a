package import CoreVideo
package import Foundation
internal import GraphicsCore

/// Puts the pictures of a GIF together: each is drawn over what those before it have left.
///
/// Not thread-safe. Going on costs one picture; going back begins anew.
package final class GIFComposer {
  private let data: Data
  private let file: GIFFile
  private var canvas: [UInt8]
  /// What was there before the newest picture, where it has to come back.
  private var saved: [UInt8]?
  private var next = 0

  /// - Throws: ``StillCodecError``: `tooLarge`.
  package init(_ data: Data, _ file: GIFFile) throws(StillCodecError) {
    (self.data, self.file) = (data, file)
    let bytes = file.width * file.height * 4
    // What is shown, what comes back, and the copy that is handed over.
    try DecodeLimit.check(
      bytes: 3 * bytes, fileBytes: data.count, width: file.width, height: file.height, format: .gif)
    canvas = [UInt8](repeating: 0, count: bytes)
  }

  /// What is shown with a picture, as RGBA; where nothing was drawn, all numbers are 0.
  ///
  /// - Throws: ``StillCodecError``: `damaged`.
  package func picture(at index: Int) throws -> CVPixelBuffer {
    if index < next - 1 {
      next = 0
      saved = nil
      canvas = [UInt8](repeating: 0, count: canvas.count)
    }
    while next <= index { try drawNext() }
    let buffer = try CVPixelBuffer(
      format: kCVPixelFormatType_32RGBA, width: file.width, height: file.height)
    let plane = buffer.planes[0]
    for row in 0..<file.height {
      let target = plane.row(row)
      canvas.withUnsafeBufferPointer { source in
        for at in 0..<4 * file.width { target[at] = source[row * file.width * 4 + at] }
      }
    }
    CVBufferSetAttachment(
      buffer, kCVImageBufferCGColorSpaceKey,
      CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB(), .shouldPropagate)
    return buffer
  }

  private func drawNext() throws(StillCodecError) {
    let frame = file.frames[next]
    // Decoded first: a damaged picture leaves what was there.
    let indices = try GIFIndices.decode(data, from: frame.codes, count: frame.width * frame.height)
    if next > 0 { dispose(file.frames[next - 1]) }
    saved = frame.disposal == .restore ? canvas : nil
    let colors = [UInt8](
      data[data.startIndex + frame.colors.lowerBound..<data.startIndex + frame.colors.upperBound])
    let rows = frame.isInterlaced ? Self.interlaced(frame.height) : Array(0..<frame.height)
    for (stored, row) in rows.enumerated() {
      var at = ((frame.y + row) * file.width + frame.x) * 4
      for column in 0..<frame.width {
        let index = Int(indices[stored * frame.width + column])
        // An index without a colour draws nothing.
        if index != frame.transparent, 3 * index + 2 < colors.count {
          canvas[at] = colors[3 * index]
          canvas[at + 1] = colors[3 * index + 1]
          canvas[at + 2] = colors[3 * index + 2]
          canvas[at + 3] = 255
        }
        at += 4
      }
    }
    next += 1
  }

  private func dispose(_ frame: GIFFile.Frame) {
    switch frame.disposal {
    case .keep: break
    case .restore: if let saved { canvas = saved }
    case .clear:
      for row in frame.y..<frame.y + frame.height {
        let begin = (row * file.width + frame.x) * 4
        for at in begin..<begin + 4 * frame.width { canvas[at] = 0 }
      }
    }
  }

  /// The rows of a picture in the order in which an interlaced one stores them.
  private static func interlaced(_ height: Int) -> [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { begin, step in
      Array(stride(from: begin, to: height, by: step))
    }
  }
}
