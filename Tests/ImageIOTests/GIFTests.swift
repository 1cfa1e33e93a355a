import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import StillCodecs
import Testing

@Suite("Animated GIF files")
struct GIFTests {
  private let gif = "com.compuserve.gif" as CFString

  /// What `ffmpeg` decodes of a file: its pictures as red, green, blue and alpha, and how long each is shown, in seconds.
  func decoded(_ file: Data, _ width: Int, _ height: Int) throws -> (
    pictures: [[UInt8]], seconds: [Double]
  ) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gif-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.gif").path
    try file.write(to: URL(fileURLWithPath: path))
    func run(_ words: [String]) throws -> Data {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return data
    }
    let pixels = try run([
      "ffmpeg", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgba", "-",
    ])
    let size = width * height * 4
    let pictures = stride(from: 0, to: pixels.count, by: size).map {
      Array(pixels[$0..<min($0 + size, pixels.count)])
    }
    let text = try run([
      "ffprobe", "-v", "error", "-show_entries", "packet=duration_time", "-of", "csv=p=0", path,
    ])
    let seconds = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap {
      Double($0.trimmingCharacters(in: CharacterSet(charactersIn: ", ")))
    }
    return (pictures, seconds)
  }

  @Test func `hold as many pictures as were announced, each for its time, over and over`() throws {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, gif, 3, nil))
    CGImageDestinationSetProperties(
      destination, [kCGImagePropertyGIFDictionary: [kCGImagePropertyGIFLoopCount: 0]])
    for key in [
      kCGImagePropertyGIFDelayTime, kCGImagePropertyGIFUnclampedDelayTime, kCGImagePropertyGIFDelayTime,
    ] {
      CGImageDestinationAddImage(
        destination, try quarters(16, 12),
        [kCGImagePropertyGIFDictionary: [key: key.hasPrefix("U") ? 0.03 : 0.25]])
    }
    #expect(CGImageDestinationFinalize(destination))
    let file = Data(referencing: data)
    #expect(file.starts(with: Array("GIF89a".utf8)) && file.range(of: Data("NETSCAPE2.0".utf8)) != nil)
    let (pictures, seconds) = try decoded(file, 16, 12)
    #expect(pictures.count == 3 && seconds == [0.25, 0.03, 0.25])
    for picture in pictures {
      func color(_ x: Int, _ y: Int) -> [UInt8] { Array(picture[(y * 16 + x) * 4..<(y * 16 + x) * 4 + 4]) }
      #expect(color(2, 2) == [255, 0, 0, 255] && color(13, 2) == [0, 255, 0, 255])
      #expect(color(2, 9) == [0, 0, 255, 255] && color(13, 9) == [255, 255, 255, 255])
    }
  }

  @Test func `show many colours as the eye sees them`() throws {
    let (width, height) = (256, 64)
    var bytes = [UInt8](repeating: 255, count: width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let place = (y * width + x) * 4
        (bytes[place], bytes[place + 1], bytes[place + 2]) = (UInt8(x), UInt8(255 - x), UInt8(y * 4))
      }
    }
    let image = try #require(
      CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: CGColorSpace(name: CGColorSpace.sRGB)!,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue),
        provider: CGDataProvider(data: Data(bytes) as CFData)!, decode: nil, shouldInterpolate: false,
        intent: .defaultIntent))
    let file = try GIFEncoder.encode([GIFEncoder.Picture(image, seconds: 0.1)], loops: nil)
    #expect(file.range(of: Data("NETSCAPE2.0".utf8)) == nil)
    let picture = try #require(try decoded(file, width, height).pictures.first)
    // Spread errors vanish in the mean of a patch.
    for top in stride(from: 8, to: height - 8, by: 8) {
      for left in stride(from: 8, to: width - 8, by: 8) {
        for part in 0..<3 {
          var sums = (0, 0)
          for y in top..<top + 8 {
            for x in left..<left + 8 {
              sums.0 += Int(bytes[(y * width + x) * 4 + part])
              sums.1 += Int(picture[(y * width + x) * 4 + part])
            }
          }
          #expect(abs(sums.0 - sums.1) <= 64 * 10, "at \(left), \(top)")
        }
      }
    }
  }

  @Test func `show nothing where the picture is clear`() throws {
    let file = try GIFEncoder.encode(
      [GIFEncoder.Picture(quarters(16, 12, alpha: 0), seconds: 0.1)], loops: nil)
    let picture = try #require(try decoded(file, 16, 12).pictures.first)
    #expect(stride(from: 3, to: picture.count, by: 4).allSatisfy { picture[$0] == 0 })
  }

  @Test func `of several sizes, or of fewer pictures than announced, are not written`() throws {
    let data = NSMutableData()
    let few = try #require(CGImageDestinationCreateWithData(data, gif, 2, nil))
    CGImageDestinationAddImage(few, try quarters(16, 12), nil)
    #expect(!CGImageDestinationFinalize(few) && data.length == 0)
    let pictures = try [(16, 12), (12, 16)].map { GIFEncoder.Picture(try quarters($0, $1), seconds: 0.1) }
    let error = #expect(throws: StillCodecError.self) { try GIFEncoder.encode(pictures, loops: 0) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("16 by 12 and 12 by 16"))
    #expect(CGImageDestinationCreateWithData(data, gif, 0, nil) == nil)
    let types = CGImageDestinationCopyTypeIdentifiers() as [Any]
    #expect(types.contains { "\($0)" == "com.compuserve.gif" })
  }
}
