import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import StillCodecs
import Testing

@Suite("DNGEncoder", .serialized)
struct DNGEncoderTests {
  static let patterns: [OSType] = [
    kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_GRBG, kCVPixelFormatType_14Bayer_GBRG,
    kCVPixelFormatType_14Bayer_BGGR,
  ]
  /// Which colour a place has: 0 red, 1 green, 2 blue.
  private static func color(_ x: Int, _ y: Int, _ pattern: OSType) -> Int {
    let colors: [OSType: [Int]] = [
      kCVPixelFormatType_14Bayer_RGGB: [0, 1, 1, 2], kCVPixelFormatType_14Bayer_GRBG: [1, 0, 2, 1],
      kCVPixelFormatType_14Bayer_GBRG: [1, 2, 0, 1], kCVPixelFormatType_14Bayer_BGGR: [2, 1, 1, 0],
    ]
    return colors[pattern]?[y % 2 * 2 + x % 2] ?? 1
  }

  private func mosaic(
    _ width: Int, _ height: Int, _ pattern: OSType = kCVPixelFormatType_14Bayer_RGGB,
    _ number: (Int, Int) -> UInt16
  ) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: pattern, width: width, height: height)
    for y in 0..<height {
      let row = buffer.planes[0].row(y)
      for x in 0..<width {
        row.storeBytes(of: number(x, y).littleEndian, toByteOffset: 2 * x, as: UInt16.self)
      }
    }
    return buffer
  }

  private func random(_ width: Int, _ height: Int, bits: Int) throws -> CVPixelBuffer {
    var dice = SeededGenerator(seed: 9)
    return try mosaic(width, height) { _, _ in
      UInt16(truncatingIfNeeded: Int.random(in: 0..<1 << bits, using: &dice))
    }
  }

  /// The output of a program on a file that has these bytes; `nil` when it fails.
  private func run(_ program: String, _ arguments: [String], on file: Data) throws -> Data? {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("raw-\(UUID()).dng")
    try file.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments + [url.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }

  // MARK: With other programs

  private func options(bits: Int) -> DNGEncoder.Options {
    var options = DNGEncoder.Options()
    options.bits = bits
    options.colors = [DNGEncoder.Colors(matrix: [0.8, -0.2, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.6])]
    options.neutral = [0.5, 1, 0.7]
    options.cameraModel = "Obscura Test"
    return options
  }

  @Test(.enabled(if: exiftool != nil)) func `exiftool reads all that the file says`() throws {
    var options = options(bits: 12)
    options.blackLevels = [64, 65, 66, 67.5]
    options.whiteLevel = 4000
    options.orientation = 6
    options.noise =
      [DNGEncoder.Noise(shot: 0.001, read: 0.000_002)]
      + Array(
        repeating: DNGEncoder.Noise(shot: 0.002, read: 0.000_003), count: 2)
    options.crop = (4, 6, 88, 52)
    options.colors.append(DNGEncoder.Colors(illuminant: 17, matrix: Array(repeating: 0.25, count: 9)))
    options.exif[ExifTag(.image, 0x010F)] = .text("Maker")
    options.exif[ExifTag(.image, 0x0100)] = .longs([7])
    options.exif[ExifTag(.exif, 0x829A)] = .rationals([ExifRational(1, 120)])
    options.exif[ExifTag(.exif, 0x8827)] = .shorts([400])
    options.exif[ExifTag(.gps, 1)] = .text("N")
    options.exif[ExifTag(.gps, 2)] = .rationals([
      ExifRational(35, 1), ExifRational(30, 1), ExifRational(0, 1),
    ])
    options.preview = try JPEGEncoder.encode(testBuffer(48, 32))
    let file = try DNGEncoder.encode(random(96, 64, bits: 12), options: options)
    let path = try #require(exiftool)
    let json = try #require(try run(path, ["-json", "-n", "-G1"], on: file))
    let tags = try #require((try JSONSerialization.jsonObject(with: json) as? [[String: Any]])?.first)
    func text(_ name: String) -> String? { tags[name].map { "\($0)" } }
    #expect(text("File:FileType") == "DNG" && text("ExifTool:Warning") == nil)
    #expect(text("IFD0:DNGVersion") == "1 4 0 0" && text("IFD0:DNGBackwardVersion") == "1 1 0 0")
    #expect(text("IFD0:UniqueCameraModel") == "Obscura Test" && text("IFD0:Make") == "Maker")
    #expect(text("IFD0:ImageWidth") == "48" && text("IFD0:ImageHeight") == "32")
    #expect(text("IFD0:Orientation") == "6" && text("IFD0:Compression") == "7")
    #expect(text("IFD0:ColorMatrix1") == "0.8 -0.2 -0.1 -0.4 1.2 0.2 -0.1 0.2 0.6")
    #expect(text("IFD0:CalibrationIlluminant1") == "21" && text("IFD0:CalibrationIlluminant2") == "17")
    #expect(text("IFD0:ColorMatrix2")?.hasPrefix("0.25 0.25") == true)
    #expect(text("IFD0:AsShotNeutral") == "0.5 1 0.7")
    #expect(text("SubIFD:ImageWidth") == "96" && text("SubIFD:ImageHeight") == "64")
    #expect(text("SubIFD:PhotometricInterpretation") == "32803" && text("SubIFD:BitsPerSample") == "16")
    #expect(text("SubIFD:CFAPattern2") == "0 1 1 2" && text("SubIFD:CFARepeatPatternDim") == "2 2")
    #expect(text("SubIFD:BlackLevel") == "64 65 66 67.5" && text("SubIFD:WhiteLevel") == "4000")
    #expect(text("SubIFD:DefaultCropOrigin") == "4 6" && text("SubIFD:DefaultCropSize") == "88 52")
    #expect(text("SubIFD:ActiveArea") == "0 0 64 96")
    #expect(text("SubIFD:NoiseProfile") == "0.001 2e-06 0.002 3e-06 0.002 3e-06")
    #expect(text("ExifIFD:ExposureTime").flatMap(Double.init).map { abs($0 - 1.0 / 120) < 1e-6 } == true)
    #expect(text("ExifIFD:ISO") == "400" && text("GPS:GPSLatitude") == "35.5")
    // The preview is the JPEG file itself.
    let preview = try #require(try run(path, ["-b", "-PreviewImage"], on: file))
    #expect(preview == options.preview)
  }

  @Test(.enabled(if: unprocessed != nil), arguments: [8, 10, 12, 14, 16], DNGEncoder.Storage.allCases)
  func `LibRaw reads every number as it was, of every width`(bits: Int, storage: DNGEncoder.Storage) throws {
    for (width, height) in [(64, 48), (38, 22)] {
      let buffer = try random(width, height, bits: bits)
      var options = options(bits: bits)
      options.storage = storage
      let file = try DNGEncoder.encode(buffer, options: options)
      let rowBytes = storage == .packed ? (width * bits + 7) / 8 : width * (bits == 8 ? 1 : 2)
      #expect(file.count < rowBytes * height + 1400)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("raw-\(UUID()).dng")
      try file.write(to: url)
      let result = URL(fileURLWithPath: url.path + ".pgm")
      defer {
        try? FileManager.default.removeItem(at: url)
        try? FileManager.default.removeItem(at: result)
      }
      let process = Process()
      process.executableURL = unprocessed
      process.arguments = [url.path]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      let pixels = try #require(Pixels(try Data(contentsOf: result)))
      #expect(pixels.width == width && pixels.height == height)
      let expected = (0..<height).flatMap { row in
        (0..<width).map { buffer.planes[0].row(row).load(fromByteOffset: 2 * $0, as: UInt16.self) }
      }
      // Eight bits come back in eight; LibRaw then writes one byte for each.
      #expect(pixels.numbers == expected)
    }
  }

  /// A picture of four colours that a camera with this matrix sees, and how LibRaw develops it.
  @Test(.enabled(if: dcraw != nil), arguments: patterns, [1, 6])
  func `LibRaw develops the colours that were seen`(pattern: OSType, orientation: Int) throws {
    // What the four quarters show in linear sRGB, the first one white.
    let scene: [SIMD3<Double>] = [[0.6, 0.6, 0.6], [0.4, 0.1, 0.1], [0.1, 0.35, 0.1], [0.12, 0.15, 0.5]]
    let gains = [1.9, 1, 1.6]
    let toSRGB = [1.5, -0.3, -0.2, -0.25, 1.45, -0.2, 0.05, -0.5, 1.45]
    let colors = try #require(DNGEncoder.Colors(toSRGB: toSRGB, gains: gains))
    // The other way round: balanced camera colours of each, by solving the three equations.
    let inverse = try #require(Matrix(toSRGB).inverse)
    let cameras = scene.map { color -> [Double] in
      let balanced = inverse * color
      return (0..<3).map { balanced[$0] / gains[$0] }
    }
    let (width, height, black, white) = (128, 96, 64.0, 4095.0)
    let buffer = try mosaic(width, height, pattern) { x, y in
      let quarter = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)
      return UInt16((black + (white - black) * cameras[quarter][Self.color(x, y, pattern)]).rounded())
    }
    var options = DNGEncoder.Options()
    options.bits = 12
    options.blackLevels = [black]
    options.colors = [colors]
    options.neutral = gains.map { 1 / $0 }
    options.orientation = orientation
    let file = try DNGEncoder.encode(buffer, options: options)
    let arguments = ["-w", "-o", "1", "-4", "-c", "0", "-q", "0", "-Z", "-"]
    let path = try #require(dcraw?.path)
    let output = try #require(try run(path, arguments, on: file))
    let pixels = try #require(Pixels(output))
    // Some versions show the edges, too.
    #expect([0, 4].contains((orientation == 6 ? height : width) - pixels.width))
    #expect([0, 4].contains((orientation == 6 ? width : height) - pixels.height))
    // Turned clockwise by a quarter the lower left corner comes to the upper left.
    let order = orientation == 6 ? [2, 0, 3, 1] : [0, 1, 2, 3]
    let seen = (0..<4).map { quarter in
      pixels.mean(x: quarter % 2 == 0 ? 0.25 : 0.75, y: quarter < 2 ? 0.25 : 0.75)
    }
    let bright = seen[order.firstIndex(of: 0) ?? 0].y / scene[0].y
    for (place, quarter) in order.enumerated() {
      let difference = seen[place] / bright - scene[quarter]
      #expect(abs(difference.x) < 0.012 && abs(difference.y) < 0.012 && abs(difference.z) < 0.012)
    }
  }

  // MARK: Alone

  @Test func `the directories come first, and a file without a preview is the mosaic's`() throws {
    let buffer = try random(64, 48, bits: 14)
    let file = try DNGEncoder.encode(buffer, options: options(bits: 14))
    #expect(file.prefix(8) == Data([0x49, 0x49, 42, 0, 8, 0, 0, 0]))
    // The numbers are the last in the file, as they lie in memory.
    let rows = (0..<48).reduce(into: Data()) { $0.append(contentsOf: buffer.planes[0].row($1).prefix(128)) }
    #expect(file.suffix(rows.count) == rows && (file.count - rows.count) % 16 == 0)
    let other = try DNGEncoder.encode(buffer, options: options(bits: 14))
    #expect(other == file)
  }

  @Test func `what is no mosaic, and options that do not fit, are refused`() throws {
    let buffer = try random(16, 16, bits: 12)
    let changes: [(inout DNGEncoder.Options) -> Void] = [
      { $0.bits = 7 }, { $0.bits = 17 }, { $0.blackLevels = [] }, { $0.blackLevels = [1, 2] },
      { $0.neutral = [1] }, { $0.noise = [DNGEncoder.Noise(shot: 0, read: 0)] },
      { $0.crop = (0, 0, 17, 16) }, { $0.crop = (-1, 0, 4, 4) }, { $0.preview = Data("no JPEG".utf8) },
    ]
    for change in changes {
      var options = options(bits: 12)
      change(&options)
      #expect(throws: StillCodecError.self) { try DNGEncoder.encode(buffer, options: options) }
    }
    #expect(throws: StillCodecError.self) { try DNGEncoder.encode(testBuffer(16, 16)) }
    #expect(DNGEncoder.Colors(toSRGB: Array(repeating: 1, count: 9), gains: [1, 1, 1]) == nil)
  }
}

/// Numbers of a PGM or PPM file.
private struct Pixels {
  var width = 0
  var height = 0
  var channels = 1
  var numbers: [UInt16] = []

  init?(_ file: Data) {
    var words: [String] = []
    var at = file.startIndex
    while words.count < 4, at < file.endIndex {
      let end = file[at...].firstIndex { [0x20, 0x0A, 0x0D, 0x09].contains($0) } ?? file.endIndex
      words.append(String(decoding: file[at..<end], as: UTF8.self))
      at = end + 1
    }
    guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]), let most = Int(words[3])
    else { return nil }
    (self.width, self.height, channels) = (width, height, words[0] == "P6" ? 3 : 1)
    let count = width * height * channels
    if most > 255 {
      guard file.endIndex - at >= 2 * count else { return nil }
      numbers = (0..<count).map { UInt16(file[at + 2 * $0]) << 8 | UInt16(file[at + 2 * $0 + 1]) }
    } else {
      guard file.endIndex - at >= count else { return nil }
      numbers = file[at..<at + count].map(UInt16.init)
    }
  }

  /// The mean colour around a place, from 0 to 1.
  func mean(x: Double, y: Double) -> SIMD3<Double> {
    let (left, top) = (Int(x * Double(width)) - 4, Int(y * Double(height)) - 4)
    var sum = SIMD3<Double>.zero
    for row in top..<top + 8 {
      for column in left..<left + 8 {
        let at = (row * width + column) * channels
        sum += SIMD3(Double(numbers[at]), Double(numbers[at + 1]), Double(numbers[at + 2]))
      }
    }
    return sum / 64 / 65535
  }
}

/// Nine numbers, row by row.
private struct Matrix {
  var m: [Double]

  init(_ m: [Double]) { self.m = m }

  var inverse: Matrix? {
    var rows = (0..<3).map { row in
      Array(m[3 * row..<3 * row + 3]) + (0..<3).map { $0 == row ? 1.0 : 0 }
    }
    for step in 0..<3 {
      guard abs(rows[step][step]) > 1e-9 else { return nil }
      let pivot = rows[step][step]
      rows[step] = rows[step].map { $0 / pivot }
      for row in 0..<3 where row != step {
        let factor = rows[row][step]
        for column in 0..<6 { rows[row][column] -= factor * rows[step][column] }
      }
    }
    return Matrix(rows.flatMap { $0[3..<6] })
  }

  static func * (left: Matrix, right: SIMD3<Double>) -> SIMD3<Double> {
    func row(_ index: Int) -> Double {
      left.m[3 * index] * right.x + left.m[3 * index + 1] * right.y + left.m[3 * index + 2] * right.z
    }
    return SIMD3(row(0), row(1), row(2))
  }
}

private func program(_ name: String) -> URL? {
  ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  .map { URL(fileURLWithPath: $0) }
}

/// Programs of others; `nil` where they are not installed.
private let exiftool = program("exiftool")?.path
private let unprocessed = program("unprocessed_raw")
private let dcraw = program("dcraw_emu")
