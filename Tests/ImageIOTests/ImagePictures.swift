import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Testing

/// An image with a red top left, green top right, blue bottom left and white bottom right quarter.
func quarters(_ width: Int, _ height: Int, alpha: UInt8? = nil, space: CGColorSpace? = nil) throws -> CGImage
{
  var data = Data()
  for y in 0..<height {
    for x in 0..<width {
      switch (x < width / 2, y < height / 2) {
      case (true, true): data.append(contentsOf: [255, 0, 0])
      case (false, true): data.append(contentsOf: [0, 255, 0])
      case (true, false): data.append(contentsOf: [0, 0, 255])
      case (false, false): data.append(contentsOf: [255, 255, 255])
      }
      data.append(alpha ?? 255)
    }
  }
  let info: CGImageAlphaInfo = alpha == nil ? .noneSkipLast : .last
  let provider = try #require(CGDataProvider(data: data))
  return try #require(
    CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4 * width,
      space: space ?? CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: info.rawValue),
      provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent))
}

/// The letters of the colours in the four corners, row by row: `RGBW` for `quarters` as it is.
func corners(_ image: CGImage) throws -> String {
  var bytes = [UInt8](repeating: 0, count: image.width * image.height * 4)
  bytes.withUnsafeMutableBytes { buffer in
    if let base = buffer.baseAddress {
      image.copyPixels8(into: base, bytesPerRow: 4 * image.width, order: .rgba, alpha: .premultiplied)
    }
  }
  func letter(_ x: Int, _ y: Int) -> Character {
    let pixel = bytes[4 * (y * image.width + x)..<4 * (y * image.width + x) + 3].map { $0 > 128 }
    switch pixel {
    case [true, false, false]: return "R"
    case [false, true, false]: return "G"
    case [false, false, true]: return "B"
    case [true, true, true]: return "W"
    default: return "?"
    }
  }
  let (left, right) = (image.width / 4, image.width - 1 - image.width / 4)
  let (top, bottom) = (image.height / 4, image.height - 1 - image.height / 4)
  return String([letter(left, top), letter(right, top), letter(left, bottom), letter(right, bottom)])
}

/// The file of an image.
func file(_ image: CGImage, _ type: String, _ properties: CFDictionary = [:]) throws -> Data {
  let data = NSMutableData()
  let destination = try #require(CGImageDestinationCreateWithData(data, type as CFString, 1, nil))
  CGImageDestinationAddImage(destination, image, properties)
  #expect(CGImageDestinationFinalize(destination))
  return Data(referencing: data)
}

/// A source of bytes.
func source(_ data: Data) throws -> CGImageSource {
  try #require(CGImageSourceCreateWithData(data as CFData, nil))
}

/// The properties of a file's picture.
func properties(_ data: Data) throws -> CFDictionary {
  try #require(CGImageSourceCopyPropertiesAtIndex(source(data), 0, nil))
}

let types = ["public.jpeg", "public.heic", "public.png"]
