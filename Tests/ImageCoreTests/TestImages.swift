import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing

/// Red, green, blue and alpha in levels.
struct Pixel: Equatable, CustomStringConvertible {
  var red: Int
  var green: Int
  var blue: Int
  var alpha = 255

  var description: String { "(\(red) \(green) \(blue) \(alpha))" }

  func isClose(to other: Pixel, by limit: Int = 1) -> Bool {
    abs(red - other.red) <= limit && abs(green - other.green) <= limit && abs(blue - other.blue) <= limit
      && abs(alpha - other.alpha) <= limit
  }
}

/// Pixels in rows from the top: what tests draw and what they look at.
struct Grid: Equatable {
  var width: Int
  var height: Int
  var pixels: [Pixel]

  init(width: Int, height: Int, _ pixel: (Int, Int) -> Pixel) {
    self.width = width
    self.height = height
    pixels = (0..<height).flatMap { y in (0..<width).map { x in pixel(x, y) } }
  }

  subscript(x: Int, y: Int) -> Pixel { pixels[y * width + x] }

  /// A picture without any symmetry.
  static func asymmetric(_ width: Int, _ height: Int) -> Grid {
    Grid(width: width, height: height) { x, y in
      Pixel(red: (x * 37 + y * 11) % 256, green: (x * 5 + y * 71) % 256, blue: (x * x + y * 19) % 256)
    }
  }

  /// The picture as a BGRA buffer; colours are taken as premultiplied.
  var buffer: CVPixelBuffer {
    get throws {
      var made: CVPixelBuffer?
      CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
      let buffer = try #require(made)
      for y in 0..<height {
        for x in 0..<width {
          let row = buffer.planes[0].row(y)
          let pixel = self[x, y]
          row[4 * x] = UInt8(pixel.blue)
          row[4 * x + 1] = UInt8(pixel.green)
          row[4 * x + 2] = UInt8(pixel.red)
          row[4 * x + 3] = UInt8(pixel.alpha)
        }
      }
      return buffer
    }
  }

  /// The picture as an image.
  var image: CIImage {
    get throws { CIImage(cvPixelBuffer: try buffer) }
  }

  init(_ buffer: CVPixelBuffer) {
    self.init(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer)) { x, y in
      let row = buffer.planes[0].row(y)
      return Pixel(
        red: Int(row[4 * x + 2]), green: Int(row[4 * x + 1]), blue: Int(row[4 * x]),
        alpha: Int(row[4 * x + 3]))
    }
  }

  init(_ image: CGImage) {
    var bytes = [UInt8](repeating: 0, count: image.width * image.height * 4)
    bytes.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      image.copyPixels8(into: base, bytesPerRow: 4 * image.width, order: .rgba, alpha: .premultiplied)
    }
    self.init(width: image.width, height: image.height) { x, y in
      let at = 4 * (y * image.width + x)
      return Pixel(
        red: Int(bytes[at]), green: Int(bytes[at + 1]), blue: Int(bytes[at + 2]), alpha: Int(bytes[at + 3]))
    }
  }

  /// The pixels of `image` within `rect`, or within its extent.
  init(rendering image: CIImage, from rect: CGRect? = nil, in context: CIContext = CIContext()) throws {
    self.init(try #require(context.createCGImage(image, from: rect ?? image.extent)))
  }

  func isClose(to other: Grid, by limit: Int = 1) -> Bool {
    width == other.width && height == other.height
      && zip(pixels, other.pixels).allSatisfy { $0.isClose(to: $1, by: limit) }
  }
}

/// The curve of IEC 61966-2-1.
func light(_ level: Int) -> Double {
  let value = Double(level) / 255
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

func level(_ light: Double) -> Int {
  let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  return Int((min(1, max(0, value)) * 255).rounded())
}
