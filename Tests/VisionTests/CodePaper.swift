import CodeDrawing
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import StillCodecs
import Testing

/// A white picture with codes on it.
struct CodePaper {
  let pixels: CVPixelBuffer

  /// A code, and where its upper left module is, quiet zone included.
  struct Code {
    var format = "QRCode"
    var text: String
    var x: Int
    var y: Int
    /// Pixels of a module.
    var module = 4
    /// Of a row of bars.
    var height = 1
  }

  init(_ width: Int, _ height: Int, _ codes: [Code]) throws {
    pixels = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: width, height: height)
    for (index, plane) in pixels.planes.enumerated() {
      memset(plane.baseAddress, index == 0 ? 255 : 128, plane.bytesPerRow * plane.height)
    }
    for code in codes {
      var (columns, rows) = (Int32(0), Int32(0))
      let bytes = Array(code.text.utf8)
      let modules = try #require(code_draw(code.format, bytes, bytes.count, 0, &columns, &rows))
      defer { free(modules) }
      for y in 0..<Int(rows) * code.module * code.height {
        let line = pixels.planes[0].row(code.y + y)
        for x in 0..<Int(columns) * code.module {
          let place = y / code.module / code.height * Int(columns) + x / code.module
          line[code.x + x] = modules[place] == 0 ? 0 : 255
        }
      }
    }
  }

  /// The same as an image.
  var image: CGImage { get throws { try CGImage.make(of: pixels) } }
}
