import CaptureDevice
import CoreMedia
import Foundation
import SeededNumbers
import StreamParts
import Testing
import V4L2Devices

@Suite("V4L2: access units of H.264")
struct AccessUnitTests {
  /// Reads what a driver put into a buffer with `room` more bytes; the bytes of the sample, and where its first byte lies.
  private func read(
    _ bytes: [UInt8], _ units: inout AccessUnits, room: Int = 64
  ) -> (unit: AccessUnits.Unit, sample: [UInt8])? {
    var buffer = bytes + Array(repeating: 0xEE, count: room)
    return buffer.withUnsafeMutableBytes { memory in
      guard case .picture(let unit) = units.read(memory, used: bytes.count) else { return nil }
      return (unit, Array(memory[unit.range]))
    }
  }

  private func isSets(_ bytes: [UInt8], _ units: inout AccessUnits) -> Bool {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { memory in
      if case .parameterSets = units.read(memory, used: memory.count) { true } else { false }
    }
  }

  private static let code: [UInt8] = [0, 0, 0, 1]

  @Test(arguments: ["every-key-frame", "once"])
  func `a camera's stream becomes samples with lengths and parameter sets apart`(_ name: String) throws {
    let stream = try H264Stream(name)
    var units = AccessUnits()
    var formats: [CMVideoFormatDescription] = []
    for (number, bytes) in stream.accessUnits.enumerated() {
      let (unit, sample) = try #require(read(bytes, &units))
      #expect(nalUnits(sample) == stream.slices[number])
      #expect(unit.isKeyFrame == (number % 6 == 0))
      #expect(unit.isReference)
      formats.append(unit.format)
    }
    #expect(formats.count == 12 && formats.allSatisfy { $0 === formats[0] })
    #expect(formats[0].h264Sets == stream.parameterSets)
    #expect(formats[0].mediaSubType == .h264 && formats[0].nalUnitHeaderLength == 4)
    #expect(formats[0].dimensions == CMVideoDimensions(width: 64, height: 48))
  }

  @Test func `where start codes have four bytes nothing is moved`() throws {
    let stream = try H264Stream("once")
    var units = AccessUnits()
    _ = read(stream.accessUnits[0], &units)
    for (number, bytes) in stream.accessUnits.enumerated().dropFirst() {
      let (unit, _) = try #require(read(bytes, &units, room: 0), "there is no room, and none is needed")
      #expect(unit.range == 0..<bytes.count, "picture \(number)")
    }
  }

  @Test func `before start codes of three bytes the longest unit stays and the others make room`() throws {
    let stream = try H264Stream("every-key-frame")
    var units = AccessUnits()
    _ = read(stream.accessUnits[0], &units)
    for slices in stream.slices.dropFirst() where slices[0][0] & 0x1F == 1 {
      let bytes = annexB(slices, code: [0, 0, 1])
      #expect(read(bytes, &units, room: 1) == nil, "two lengths need two bytes more")
      let (_, sample) = try #require(read(bytes, &units, room: 2))
      #expect(nalUnits(sample) == slices)
      // Filling between the two makes room as well.
      let filled: [UInt8] = annexB([slices[0]]) + [0, 0] + annexB([slices[1]]) + [0, 0, 0]
      let (unit, padded) = try #require(read(filled, &units, room: 0))
      #expect(nalUnits(padded) == slices)
      let longest = slices[0].count >= slices[1].count ? 4 : 10 + slices[0].count
      let before = slices[0].count >= slices[1].count ? 4 : 8 + slices[0].count
      #expect(unit.range.lowerBound + before == longest)
    }
  }

  @Test func `parameter sets in a buffer of their own are remembered, and new ones make a new description`()
    throws
  {
    let once = try H264Stream("once"), other = try H264Stream("every-key-frame")
    var units = AccessUnits()
    let picture = Self.code + once.slices[0][0]
    #expect(read(picture, &units) == nil, "no decoder could decode it")
    #expect(isSets(annexB(once.parameterSets), &units))
    let first = try #require(read(picture, &units)).unit.format
    #expect(isSets(annexB(once.parameterSets), &units))
    #expect(try #require(read(picture, &units)).unit.format === first)
    let second = try #require(read(other.accessUnits[0], &units)).unit.format
    #expect(second !== first && second.h264Sets == other.parameterSets)
  }

  @Test func `messages stay, delimiters and filling go`() throws {
    let stream = try H264Stream("once")
    var units = AccessUnits()
    _ = read(stream.accessUnits[0], &units)
    let message: [UInt8] = [6, 5, 1, 7, 0x80], slice = stream.slices[1][0]
    let whole: [[UInt8]] = [[9, 0xF0], message, slice, [12, 0xFF, 0x80], [11]]
    let (unit, sample) = try #require(read(annexB(whole), &units))
    #expect(nalUnits(sample) == [message, slice])
    #expect(!unit.isKeyFrame)
  }

  @Test func `a picture that no other refers to says so`() throws {
    let stream = try H264Stream("once")
    var units = AccessUnits()
    _ = read(stream.accessUnits[0], &units)
    var slice = stream.slices[1][0]
    slice[0] &= 0x1F
    #expect(try #require(read(Self.code + slice, &units)).unit.isReference == false)
  }

  @Test func `what is no whole access unit is broken`() throws {
    let stream = try H264Stream("once")
    var slice = stream.slices[1][0]
    var broken: [[UInt8]] = [
      [], [0], [0, 0, 0, 1], [1, 2, 3, 4, 5], Self.code + [9, 0xF0], Self.code + [0x61],
      [7] + Self.code + slice, Self.code + [0xE1] + slice.dropFirst(), slice,
      Self.code + [0x67, 1, 2], Self.code + [0x68, 0, 0, 1], Self.code + stream.parameterSets[0].prefix(6),
    ]
    // A picture whose first slice is missing.
    slice[1] &= 0x7F
    broken.append(Self.code + slice)
    for bytes in broken {
      var units = AccessUnits()
      _ = read(stream.accessUnits[0], &units)
      #expect(read(bytes, &units) == nil, "\(bytes)")
      #expect(!isSets(bytes.isEmpty ? [0] : bytes, &units), "\(bytes)")
    }
    var units = AccessUnits()
    var bytes = stream.accessUnits[0]
    let count = bytes.count
    bytes.withUnsafeMutableBytes { memory in
      if case .picture = units.read(memory, used: count + 1) { Issue.record("read beyond the buffer") }
    }
  }

  /// More for a run under AddressSanitizer: `OBSCURA_MUTATIONS=10000 swift test --sanitize=address --filter AccessUnit`.
  private static let mutations =
    ProcessInfo.processInfo.environment["OBSCURA_MUTATIONS"].flatMap(Int.init) ?? 1000

  @Test func `bits and bytes at random never crash, and samples hold together`() throws {
    let sources = try H264Stream.all().flatMap(\.accessUnits)
    var dice = SeededGenerator(seed: 264)
    var units = AccessUnits()
    var whole = 0
    for number in 0..<Self.mutations {
      var bytes = sources[number % sources.count]
      for _ in 0..<Int.random(in: 0...6, using: &dice) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &dice)
        case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...20, using: &dice)))
        case 3: bytes.removeSubrange(at...)
        default: bytes.insert(contentsOf: [0, 0, 1, UInt8.random(in: 0...31, using: &dice)], at: at)
        }
      }
      guard !bytes.isEmpty,
        let (unit, sample) = read(bytes, &units, room: Int.random(in: 0...8, using: &dice))
      else { continue }
      whole += 1
      #expect(nalUnits(sample) != nil)
      #expect(unit.format.h264Sets.count >= 2)
    }
    #expect(whole > Self.mutations / 10)
  }
}
