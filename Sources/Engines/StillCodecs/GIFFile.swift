package import Foundation

/// The structure of a GIF file: its pictures, how long each is shown, and what becomes of it then; nothing is decoded.
///
/// Source: the Graphics Interchange Format, version 89a; the loop count is Netscape's extension.
package struct GIFFile: Sendable {
  /// The fate of a picture before the next one is drawn.
  package enum Disposal: Sendable {
    /// It stays.
    case keep
    /// Its place is cleared.
    case clear
    /// Its place is as it was before it.
    case restore
  }

  /// One picture.
  package struct Frame: Sendable {
    /// Where it is drawn.
    package var x, y, width, height: Int
    /// For how long it is shown; 0 where the file does not say.
    package var hundredths = 0
    package var disposal = Disposal.keep
    /// The index of the colour that stands for nothing.
    var transparent: Int?
    var isInterlaced: Bool
    /// Where its own colours are in the file, or those of all.
    var colors: Range<Int>
    /// Where its coded indices begin: a byte with the size of the first codes, and blocks.
    var codes: Int
    /// Whether it has colours of its own.
    var hasOwnColors: Bool
    /// Whether its codes can name colours that its table does not have, which draw nothing.
    var hasColorlessCodes: Bool
  }

  /// The size of what is shown.
  package private(set) var width = 0, height = 0
  /// How often the pictures are shown after the first time: 0 is for ever, `nil` is never.
  package private(set) var loops: Int?
  package private(set) var frames: [Frame] = []
  /// Whether pictures without colours of their own have some.
  package private(set) var hasSharedColors = false
  /// Whether something that is shown may be nothing.
  package var hasAlpha: Bool {
    guard let first = frames.first else { return false }
    return first.width < width || first.height < height
      // What was there before the first is nothing.
      || (first.disposal == .restore && frames.count > 1)
      || frames.contains { $0.transparent != nil || $0.disposal == .clear || $0.hasColorlessCodes }
  }

  /// The most pictures of a file: half an hour of the fastest, and few enough that a list of them is no burden.
  package static let mostFrames = 100_000

  /// Reads a file's structure.
  ///
  /// - Throws: ``StillCodecError``: `damaged` when it is cut off, has no picture, or one that lies outside of what is shown; `tooLarge`.
  package init(_ data: Data) throws(StillCodecError) {
    var reader = Reader(bytes: data)
    guard try reader.take(3).elementsEqual("GIF".utf8) else { throw .noPicture }
    _ = try reader.take(3)
    (width, height) = (try reader.word(), try reader.word())
    let flags = try reader.byte()
    _ = try reader.take(2)
    var shared: Range<Int>?
    if flags & 0x80 != 0 {
      shared = try reader.colors(flags)
      hasSharedColors = true
    }
    try DecodeLimit.check(width: width, height: height, fileBytes: data.count, format: .gif)
    var control = Control()
    while let kind = reader.next() {
      switch kind {
      case 0x21: try readExtension(&reader, &control)
      case 0x2C:
        guard frames.count < Self.mostFrames else {
          throw StillCodecError(
            .tooLarge,
            "The GIF picture cannot be decoded: it has more than \(Self.mostFrames) pictures; split it, or make a movie of it."
          )
        }
        frames.append(try readPicture(&reader, control, shared))
        control = Control()
      case 0x3B:
        guard !frames.isEmpty else { throw .damagedGIF("it has no picture") }
        return
      default: throw .damagedGIF("it has a block of an unknown kind")
      }
    }
    // Some programs leave the last byte out.
    guard !frames.isEmpty else { throw .damagedGIF("it ends before its first picture") }
  }

  private struct Control {
    var hundredths = 0
    var disposal = Disposal.keep
    var transparent: Int?
  }

  private mutating func readExtension(
    _ reader: inout Reader, _ control: inout Control
  ) throws(StillCodecError) {
    let label = try reader.byte()
    let blocks = try reader.blocks()
    if label == 0xF9, let block = blocks.first, block.count >= 4 {
      let bytes = [UInt8](block)
      control.disposal = [2: .clear, 3: .restore][bytes[0] >> 2 & 7] ?? .keep
      control.hundredths = Int(bytes[1]) | Int(bytes[2]) << 8
      control.transparent = bytes[0] & 1 != 0 ? Int(bytes[3]) : nil
    } else if label == 0xFF, blocks.count > 1, blocks[1].count >= 3, blocks[1].first == 1,
      ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(String(decoding: blocks[0], as: UTF8.self))
    {
      let bytes = [UInt8](blocks[1])
      loops = Int(bytes[1]) | Int(bytes[2]) << 8
    }
  }

  private func readPicture(
    _ reader: inout Reader, _ control: Control, _ shared: Range<Int>?
  ) throws(StillCodecError) -> Frame {
    let (x, y) = (try reader.word(), try reader.word())
    let (own, high) = (try reader.word(), try reader.word())
    let flags = try reader.byte()
    let colors = flags & 0x80 != 0 ? try reader.colors(flags) : shared
    guard own > 0, high > 0, x + own <= width, y + high <= height else {
      throw .damagedGIF(
        "a picture of \(own) by \(high) pixels lies outside of the \(width) by \(height) that are shown")
    }
    guard let colors else { throw .damagedGIF("a picture has no colours") }
    let codes = reader.place
    let codeSize = try reader.byte()
    guard (1...11).contains(codeSize) else {
      throw .damagedGIF("a picture is coded in an unknown way")
    }
    try reader.skipBlocks()
    return Frame(
      x: x, y: y, width: own, height: high, hundredths: control.hundredths, disposal: control.disposal,
      transparent: control.transparent, isInterlaced: flags & 0x40 != 0, colors: colors, codes: codes,
      hasOwnColors: flags & 0x80 != 0,
      // Two colours have codes of four, which is the least.
      hasColorlessCodes: codeSize > 2 && colors.count < 3 << Int(codeSize))
  }

  /// Takes a file apart from its beginning on; places count from 0.
  private struct Reader {
    let bytes: Data
    private(set) var place = 0

    init(bytes: Data) {
      self.bytes = bytes
    }

    private var left: Int { bytes.count - place }

    mutating func next() -> UInt8? { left > 0 ? try? byte() : nil }

    mutating func take(_ count: Int) throws(StillCodecError) -> Data {
      guard left >= count else { throw .damagedGIF("it ends within a block") }
      defer { place += count }
      return bytes[bytes.startIndex + place..<bytes.startIndex + place + count]
    }

    mutating func byte() throws(StillCodecError) -> UInt8 {
      let taken = try take(1)
      return taken[taken.startIndex]
    }

    mutating func word() throws(StillCodecError) -> Int { Int(try byte()) | Int(try byte()) << 8 }

    /// A table of colours, of which the flags say how many there are.
    mutating func colors(_ flags: UInt8) throws(StillCodecError) -> Range<Int> {
      let begin = place
      _ = try take(3 << (Int(flags & 7) + 1))
      return begin..<place
    }

    mutating func blocks() throws(StillCodecError) -> [Data] {
      var blocks: [Data] = []
      while true {
        let count = Int(try byte())
        if count == 0 { return blocks }
        let block = try take(count)
        if blocks.count < 2 { blocks.append(block) }
      }
    }

    mutating func skipBlocks() throws(StillCodecError) { _ = try blocks() }
  }
}

extension StillCodecError {
  static func damagedGIF(_ reason: String) -> StillCodecError {
    StillCodecError(.damaged, "The GIF picture cannot be decoded: \(reason); it is damaged or cut off.")
  }
}
