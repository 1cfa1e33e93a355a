import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import SeededNumbers
import StillCodecs
import Testing

@Suite("Reading GIF files")
struct GIFReadingTests {
  private typealias Frame = CraftedGIF.Frame

  /// The colours of an image as letters, row by row: of black, red, green and blue, and a dot where nothing is.
  private func letters(_ image: CGImage?) throws -> [String] {
    let image = try #require(image)
    return try pixels(image).map { row in
      row.map { pixel -> String in
        if pixel[3] == 0 { return "." }
        let index = CraftedGIF.colors.firstIndex(of: Array(pixel[0..<3]))
        return index.map { ["k", "r", "g", "b"][$0] } ?? "?"
      }.joined()
    }
  }

  private func pixels(_ image: CGImage) throws -> [[[UInt8]]] {
    let data = try #require(image.dataProvider?.data)
    return (0..<image.height).map { y in
      (0..<image.width).map { x in
        let place = data.startIndex + y * image.bytesPerRow + x * 4
        return Array(data[place..<place + 4])
      }
    }
  }

  private func image(_ source: CGImageSource, _ index: Int) -> CGImage? {
    CGImageSourceCreateImageAtIndex(source, index, nil)
  }

  /// A red field, a green point that goes again, a blue point that leaves a hole, and nothing new.
  private var story: CraftedGIF {
    CraftedGIF(
      width: 4, height: 2,
      frames: [
        Frame(width: 4, height: 2, indices: [UInt8](repeating: 1, count: 8), hundredths: 50),
        Frame(x: 1, y: 0, width: 1, height: 1, indices: [2], disposal: 3, hundredths: 1),
        Frame(x: 2, y: 1, width: 2, height: 1, indices: [3, 0], disposal: 2, transparent: 0, hundredths: 7),
        Frame(x: 0, y: 0, width: 1, height: 1, indices: [0], transparent: 0),
      ], loops: 3)
  }

  @Test func `each picture is drawn over what those before it have left`() throws {
    let source = try #require(CGImageSourceCreateWithData(story.data, nil))
    #expect(CGImageSourceGetCount(source) == 4 && CGImageSourceGetStatus(source) == .statusComplete)
    #expect(CGImageSourceGetType(source) == "com.compuserve.gif")
    #expect(try letters(image(source, 0)) == ["rrrr", "rrrr"])
    #expect(try letters(image(source, 1)) == ["rgrr", "rrrr"])
    #expect(try letters(image(source, 2)) == ["rrrr", "rrbr"])
    #expect(try letters(image(source, 3)) == ["rrrr", "rr.."])
    // Also backwards.
    #expect(try letters(image(source, 1)) == ["rgrr", "rrrr"])
    #expect(image(source, 4) == nil && image(source, -1) == nil)
  }

  @Test func `properties say for how long each is shown, how often all are, and how large they are`() throws {
    let source = try #require(CGImageSourceCreateWithData(story.data, nil))
    let all = try #require(CGImageSourceCopyProperties(source, nil))
    let gif = try #require(all[kCGImagePropertyGIFDictionary] as? [String: Any])
    #expect((gif[kCGImagePropertyGIFLoopCount] as? NSNumber)?.intValue == 3)
    #expect((gif[kCGImagePropertyGIFHasGlobalColorMap] as? NSNumber)?.boolValue == true)
    #expect((gif[kCGImagePropertyGIFCanvasPixelWidth] as? NSNumber)?.intValue == 4)
    #expect((gif[kCGImagePropertyGIFCanvasPixelHeight] as? NSNumber)?.intValue == 2)
    #expect((gif[kCGImagePropertyGIFFrameInfoArray] as? [Any])?.count == 4)
    var delays: [[Double?]] = []
    for index in 0..<4 {
      let one = try #require(CGImageSourceCopyPropertiesAtIndex(source, index, nil))
      #expect((one[kCGImagePropertyPixelWidth] as? NSNumber)?.intValue == 4)
      let own = try #require(one[kCGImagePropertyGIFDictionary] as? [String: Any])
      delays.append(
        [kCGImagePropertyGIFDelayTime, kCGImagePropertyGIFUnclampedDelayTime].map {
          (own[$0] as? NSNumber)?.doubleValue
        })
    }
    #expect(delays == [[0.5, 0.5], [0.1, 0.01], [0.1, 0.07], [0.1, 0]])
    #expect(CGImageSourceCopyPropertiesAtIndex(source, 4, nil) == nil)
    var once = story
    once.loops = nil
    let other = try #require(CGImageSourceCreateWithData(once.data, nil))
    let properties = CGImageSourceCopyProperties(other, nil)?[kCGImagePropertyGIFDictionary] as? [String: Any]
    #expect(properties != nil && properties?[kCGImagePropertyGIFLoopCount] == nil)
  }

  @Test func `rows that are interlaced, colours of a picture's own, and a missing last byte are read`() throws
  {
    let rows = [0, 2, 3, 1].flatMap {
      [UInt8](repeating: UInt8([0: 0, 2: 2, 3: 1, 1: 3][$0] ?? 0), count: 2)
    }
    // Rows 0, 2, 1, 3 are stored; of four rows the passes begin at 0, 4, 2 and 1.
    let file = CraftedGIF(
      width: 2, height: 4,
      frames: [
        Frame(width: 2, height: 4, indices: rows, isInterlaced: true),
        Frame(
          width: 2, height: 1, indices: [1, 2],
          colors: [9, 9, 9] + CraftedGIF.colors[3] + CraftedGIF.colors[2] + [9, 9, 9]),
      ], hasTrailer: false)
    let source = try #require(CGImageSourceCreateWithData(file.data, nil))
    #expect(try letters(image(source, 0)) == ["kk", "rr", "gg", "bb"])
    #expect(try letters(image(source, 1)) == ["bg", "rr", "gg", "bb"])
  }

  @Test func `what ffmpeg makes of a moving picture is read as ffmpeg reads it`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("gif-\(UUID().uuidString).gif")
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=96x64:rate=10:duration=1", path.path,
    ]
    try process.run()
    process.waitUntilExit()
    let data = try Data(contentsOf: path)
    let (truth, seconds) = try GIFTests().decoded(data, 96, 64)
    let source = try #require(CGImageSourceCreateWithURL(path, nil))
    #expect(CGImageSourceGetCount(source) == 10 && truth.count == 10 && seconds.count == 10)
    for (index, picture) in truth.enumerated() {
      let own = try pixels(try #require(image(source, index)))
      #expect(own.flatMap { $0.flatMap { $0 } } == picture, "picture \(index)")
    }
    let small = CGImageSourceCreateThumbnailAtIndex(
      source, 9,
      [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 48])
    #expect(small?.width == 48 && small?.height == 32)
  }

  @Test func `a file that is cut off anywhere is refused, or has fewer pictures`() throws {
    let file = story.data
    let whole = try #require(CGImageSourceCreateWithData(file, nil))
    #expect(CGImageSourceGetCount(whole) == 4)
    var refused = 0
    for count in 6..<file.count - 1 {
      let source = try #require(CGImageSourceCreateWithData(file.prefix(count), nil))
      switch CGImageSourceGetStatus(source) {
      case .statusInvalidData:
        refused += 1
        #expect(CGImageSourceGetCount(source) == 0 && image(source, 0) == nil)
      default:
        #expect((1..<5).contains(CGImageSourceGetCount(source)))
      }
    }
    #expect(refused > file.count * 3 / 4)
    let error = #expect(throws: StillCodecError.self) { try StillFacts(file.prefix(60)) }
    #expect("\(error.map { "\($0)" } ?? "")".components(separatedBy: "cut off").count == 2)
  }

  @Test func `wrong sizes, missing pixels and claims that would take all memory are refused with a sentence`()
    throws
  {
    var outside = story
    outside.frames[1].x = 4
    var few = story
    few.frames[0].indices = [1, 1]
    var nothing = story
    nothing.width = 0
    var huge = story
    (huge.width, huge.height) = (65_535, 65_535)
    for (crafted, words) in [(outside, "outside"), (nothing, "damaged"), (huge, "GIF")] {
      let error = #expect(throws: StillCodecError.self) { try StillFacts(crafted.data) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(words))
      #expect(CGImageSourceGetCount(try #require(CGImageSourceCreateWithData(crafted.data, nil))) == 0)
    }
    let source = try #require(CGImageSourceCreateWithData(few.data, nil))
    #expect(image(source, 0) == nil && image(source, 1) == nil)
    // A file without a picture.
    #expect(throws: StillCodecError.self) {
      try StillFacts(Data("GIF89a".utf8) + Data([4, 0, 2, 0, 0, 0, 0, 0x3B]))
    }
  }

  @Test func `changed bytes never do more than spoil a picture`() throws {
    let file = story.data
    var numbers = SeededGenerator(usual: 30)
    for _ in 0..<500 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        bytes[Int.random(in: 6..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      let source = try #require(CGImageSourceCreateWithData(bytes, nil))
      for index in 0..<CGImageSourceGetCount(source) {
        if let image = image(source, index) {
          #expect(image.width == CGImageSourceCreateImageAtIndex(source, 0, nil)?.width ?? image.width)
        }
      }
    }
  }
}
