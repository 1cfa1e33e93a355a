import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Testing

@Suite("Gray PNG files")
struct GrayPictureTests {
  /// 16 by 16 pixels of 180, with 8 and 16 bits, and half transparent.
  static let files = [
    (
      "gray8",
      "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAEUlEQVQYlWPcwoAKmBhGtAAA0JwA1M8kzHoAAAAASUVORK5CYII="
    ),
    (
      "gray16",
      "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQEAAAAABqCHz+AAAAFklEQVQokWPcsoUBL2DCLz2qYHgpAAAHoQGIrR0ObgAAAABJRU5ErkJggg=="
    ),
    (
      "gray8-alpha",
      "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAQAAAC1+jfqAAAAFklEQVQokWPc0sCAFzDhlx5VMLwUAACcugFUB7zb6QAAAABJRU5ErkJggg=="
    ),
    (
      "gray16-alpha",
      "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQEAQAAADlauupAAAAHUlEQVQ4jWPcsqWhgYECwESJ5lEDRg0YNWAwGQAABooCiGTf4hsAAAAASUVORK5CYII="
    ),
  ]

  @Test(arguments: files)
  func `gray of every depth has a thumbnail and smaller pictures`(name: String, text: String) throws {
    let file = try #require(Data(base64Encoded: text))
    let source = try #require(CGImageSourceCreateWithData(file, nil))
    let thumbnail = try #require(
      CGImageSourceCreateThumbnailAtIndex(
        source, 0,
        [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 8]))
    #expect(thumbnail.width == 8 && thumbnail.height == 8)
    let half = try #require(CGImageSourceCreateImageAtIndex(source, 0, [kCGImageSourceSubsampleFactor: 2]))
    #expect(half.width == 8)
    for image in [thumbnail, half] {
      var bytes = [UInt8](repeating: 0, count: 8 * 8 * 4)
      bytes.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress {
          image.copyPixels8(into: base, bytesPerRow: 32, order: .rgba, alpha: .premultiplied)
        }
      }
      let wanted: [UInt8] = name.contains("alpha") ? [90, 90, 90, 128] : [180, 180, 180, 255]
      #expect(
        zip(bytes[128..<132], wanted).allSatisfy { abs(Int($0) - Int($1)) <= 2 },
        "\(name): \(bytes[128..<132])")
    }
  }
}
