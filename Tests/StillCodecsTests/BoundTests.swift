import CoreVideo
import Foundation
import FoundationExtras
import Glibc
import GraphicsCore
import Testing

import StillCodecs

/// The most memory that this process has had, in MB.
func peakMegabytes() throws -> Int {
  let status = String(
    decoding: try InputFile.contents(of: "/proc/self/status", atMost: 1 << 20), as: UTF8.self)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
  return try #require(Int(line.split(separator: " ").dropLast().last ?? "")) / 1024
}

/// Whether the process runs under AddressSanitizer.
let isAddressSanitized = dlsym(nil, "__asan_init") != nil

@Suite("Bounds of pictures")
struct BoundTests {
  private func code(_ body: () throws -> Void) -> StillCodecError? {
    do { try body() } catch { return error as? StillCodecError }
    return nil
  }

  @Test func `a picture beyond the bound is refused from its head with its size and the bound`() throws {
    let file = CraftedPNG.black(width: 16_000, height: 16_000)
    let error = code { _ = try PNGDecoder.decode(file) }
    #expect(error?.code == .tooLarge)
    #expect(error?.description.contains("16000 by 16000 pixels take 977 MB of memory, and 512 MB") == true)
    let giant = CraftedPNG.black(width: 200_000, height: 200_000, hasPixels: false)
    let other = code { _ = try StillFacts(giant) }
    #expect(other?.description.contains("at most 400 megapixels are read") == true, "\(other as Any)")
    let bomb = CraftedPNG.black(width: 20_000, height: 20_000, hasPixels: false)
    #expect(code { _ = try StillFacts(bomb) }?.description.contains("made to harm") == true)
  }

  @Test func `what is asked for decides the memory of a PNG, not what is stored`() async throws {
    await #expect(processExitsWith: .success) {
      let file = CraftedPNG.black(width: 8000, height: 8000)
      let before = try peakMegabytes()
      let small = try PNGDecoder.decode(file, scale: .eighth)
      #expect(small.width == 1000 && small.height == 1000)
      #expect(try peakMegabytes() - before < 30)
      _ = try PNGDecoder.decode(file, scale: .full)
      #expect(try peakMegabytes() - before > 200)
    }
  }

  @Test func `an interlaced picture counts with all that its passes need`() throws {
    let file = CraftedPNG.black(width: 12_000, height: 12_000, isInterlaced: true)
    #expect(code { _ = try PNGDecoder.decode(file, scale: .eighth) }?.code == .tooLarge)
  }

  @Test(arguments: [false, true], StillScale.allCases)
  func `a smaller PNG is the mean of what each pixel stands for`(isInterlaced: Bool, scale: StillScale) throws
  {
    let file = CraftedPNG.black(width: 19, height: 9, isInterlaced: isInterlaced)
    let picture = try PNGDecoder.decode(file, scale: scale)
    #expect(picture.width == (18 + scale.rawValue) / scale.rawValue)
    #expect(picture.height == (8 + scale.rawValue) / scale.rawValue)
    for y in 0..<picture.height {
      let row = picture.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in 0..<picture.width { #expect(row[4 * x] == 0 && row[4 * x + 2] == 0 && row[4 * x + 3] == 255) }
    }
  }

  @Test func `colours are averaged by how much they cover`() throws {
    let pixels = Data([200, 100, 0, 255, 0, 0, 0, 0, 100, 50, 40, 255])
    let provider = try #require(CGDataProvider(data: pixels))
    let image = try #require(
      CGImage(
        width: 3, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 12,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
    let half = try PNGDecoder.decode(PNGEncoder.encode(image), scale: .half)
    let row = half.planes[0].row(0).assumingMemoryBound(to: UInt8.self)
    #expect((0..<8).map { row[$0] } == [100, 50, 0, 128, 100, 50, 40, 255])
  }

  @Test func `packed text that unpacks to a hundred times its size is not unpacked`() async throws {
    await #expect(processExitsWith: .success) {
      let text = Data("Comment\0\0".utf8) + CraftedPNG.zeros(7 << 20)
      let file = CraftedPNG.black(width: 64, height: 64, chunks: Array(repeating: ("zTXt", text), count: 40))
      let before = try peakMegabytes()
      _ = try PNGDecoder.decode(file)
      #expect(try peakMegabytes() - before < 20)
    }
  }

  @Test func `a profile that unpacks beyond the bound is left out`() throws {
    let profile = Data("Profile\0\0".utf8) + CraftedPNG.zeros(64 << 20)
    let facts = try StillFacts(CraftedPNG.black(width: 64, height: 64, chunks: [("iCCP", profile)]))
    #expect(facts.profile == nil && facts.width == 64)
  }

  @Test func `a progressive JPEG counts with the coefficients that it needs at every scale`() throws {
    var options = JPEGEncoder.Options()
    options.isProgressive = true
    options.chroma = .full444
    var data = try JPEGEncoder.encode(testBuffer(64, 64, format: kCVPixelFormatType_32BGRA), options: options)
    let frame = try #require(JPEGSegments(data).first { $0.marker == 0xC2 })
    let header = try JPEGDecoder.Header(data)
    #expect(header.coefficientBytes == 64 * 64 * 3 * 2)
    data.replaceSubrange(
      frame.body.lowerBound + 1..<frame.body.lowerBound + 5, with: [0x3A, 0x98, 0x3A, 0x98])
    data += Data(count: 200_000)
    #expect(code { _ = try JPEGDecoder.decode(data, scale: .eighth) }?.description.contains("512 MB") == true)
  }

  @Test func `a file on disk is refused from its head`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bound-\(UUID().uuidString).png")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try CraftedPNG.black(width: 30_000, height: 30_000, hasPixels: false).write(
      to: URL(fileURLWithPath: path))
    #expect(code { _ = try StillFile.read(path) }?.code == .tooLarge)
    #expect(truncate(path, 3 << 30) == 0)
    #expect(throws: FileReadError.tooLarge(size: 3 << 30, bound: 256 << 20)) { try StillFile.read(path) }
    try Data(count: 100).write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try StillFile.read(path) }?.code == .unsupported)
  }

  @Test func `a HEIC grid that is larger than it says is refused`() throws {
    // libheif makes the picture that a grid states, whatever size the file announces for it.
    func box(_ type: String, _ body: Data) -> Data {
      CraftedPNG.bytes(8 + body.count) + Data(type.utf8) + body
    }
    func full(_ type: String, version: UInt8 = 0, _ body: Data) -> Data {
      box(type, Data([version, 0, 0, 0]) + body)
    }
    func file(_ width: Int, _ height: Int) -> Data {
      let grid = Data([0, 1, 255, 255]) + CraftedPNG.bytes(width) + CraftedPNG.bytes(height)
      let meta = full(
        "meta",
        full("pitm", Data([0, 1]))
          + full("iinf", Data([0, 1]) + full("infe", version: 2, Data([0, 1, 0, 0]) + Data("grid".utf8)))
          + full(
            "iloc", version: 1,
            Data([0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1]) + CraftedPNG.bytes(0) + CraftedPNG.bytes(12))
          + box("idat", grid)
          + box(
            "iprp",
            box("ipco", full("ispe", CraftedPNG.bytes(64) + CraftedPNG.bytes(64)))
              + full("ipma", CraftedPNG.bytes(1) + Data([0, 1, 1, 1]))))
      return box("ftyp", Data("heic".utf8) + CraftedPNG.bytes(0) + Data("mif1heic".utf8)) + meta
    }
    #expect(HEIFBoxes(file(64, 64))?.width == 64)
    #expect(try #require(HEIFBoxes(file(30_000, 20_000))).largest == (30_000, 20_000))
    for size in [(30_000, 20_000), (8000, 8000), (0xFFFF_FFFF, 0xFFFF_FFFF)] {
      #expect(code { _ = try HEICDecoder.decode(file(size.0, size.1)) }?.code == .tooLarge)
    }
  }

  @Test(
    .enabled(if: !isAddressSanitized, "AddressSanitizer keeps released memory, so nothing can be measured."),
    arguments: [kCVPixelFormatType_32RGBA, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange])
  func `a HEIC takes no more than is said of it`(format: OSType) async throws {
    let file = try HEICEncoder.encode(
      CVPixelBuffer(format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 4000, height: 3000))
    await #expect(processExitsWith: .success) { [file = file as Data, format = format as OSType] in
      let before = try peakMegabytes()
      _ = try HEICDecoder.decode(file, to: format)
      let taken = try peakMegabytes() - before
      #expect(taken << 20 < 12_000_000 * HEICDecoder.bytesPerPixel(isPacked: false))
    }
  }
}
