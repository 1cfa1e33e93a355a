package import CoreMedia
internal import Glibc

/// Makes samples of the H.264 or HEVC that a device sends: one access unit a buffer, its NAL units behind start codes (Annex B).
///
/// A sample has each NAL unit behind its length instead, and the parameter sets apart from it. That is done in the driver's
/// own buffer: a length takes the place of a start code of four bytes, so that nothing else is written. Before start codes of
/// three bytes there is no room; then NAL units move by a byte or more, but the longest one, which stays where it is. A copy
/// of the whole would cost more, and memory that no ring of buffers bounds.
///
/// Remembers parameter sets, which some cameras send with every key frame and others once. Used by one reader thread.
///
/// Source: ITU-T H.264, 7.3.1, 7.4.1 and Annex B; ITU-T H.265, 7.3.1 and 7.4.2.2; ISO/IEC 14496-15, 5.3.2 and 8.3.2.
package struct AccessUnits: Sendable {
  /// The content that was found in a buffer.
  package enum Finding: Sendable {
    /// A picture.
    case picture(Unit)
    /// Parameter sets for pictures to come, and no picture.
    case parameterSets
    /// No whole access unit, or one whose parameter sets never came.
    case broken
  }

  /// A picture in a buffer.
  package struct Unit: Sendable {
    /// The range in the buffer of its NAL units, each behind four bytes with its length.
    package var range: Range<Int>
    /// Size and parameter sets; the same object until those change.
    package var format: CMVideoFormatDescription
    /// Whether nothing that is shown after it builds on what came before: an IDR picture, of HEVC any random access picture.
    package var isKeyFrame: Bool
    /// Whether others may build on it.
    package var isReference: Bool
  }

  /// More than any picture has slices: an end for what is no stream.
  private static let mostUnits = 4096
  private static let lengthBytes = 4

  private let codec: CodedSyntax
  /// By the numbers under which pictures name them; of H.264.
  private var sequences: [Int: [UInt8]] = [:]
  private var pictures: [Int: [UInt8]] = [:]
  /// Those that came last, by type; of HEVC.
  private var sets: [UInt8: [[UInt8]]] = [:]
  private var format: CMVideoFormatDescription?

  /// For a stream that has just been started.
  package init(_ codec: CodedSyntax = .h264) {
    self.codec = codec
  }

  /// Reads a filled buffer and makes a sample of what is in it, where it lies.
  ///
  /// Cost: one pass over the bytes, which reads every third or so; see ``AccessUnits`` for what is written.
  package mutating func read(_ memory: UnsafeMutableRawBufferPointer, used: Int) -> Finding {
    guard used > 0, used <= memory.count,
      let units = Self.units(in: UnsafeRawBufferPointer(rebasing: memory.prefix(used)))
    else { return .broken }
    var kept: [Range<Int>] = []
    var isKeyFrame = false, isReference = false, hasPicture = false, hasSets = false
    var found: [UInt8: [[UInt8]]] = [:]
    for unit in units {
      let bytes = UnsafeRawBufferPointer(rebasing: memory[unit])
      switch codec.role(of: bytes) {
      case .slice(let slice):
        guard hasPicture || slice.isFirst else { return .broken }
        if !hasPicture { isKeyFrame = slice.isRandomAccess }
        if slice.isReference { isReference = true }
        hasPicture = true
        kept.append(unit)
      case .message: kept.append(unit)
      case .parameterSet(let type):
        hasSets = true
        if codec == .hevc {
          found[type, default: []].append(Array(bytes))
        } else if !note(bytes) {
          return .broken
        }
      case .filling: continue
      case .broken: return .broken
      }
    }
    for (type, list) in found where sets[type] != list {
      sets[type] = list
      format = nil
    }
    guard hasPicture else { return hasSets && kept.isEmpty ? .parameterSets : .broken }
    if format == nil { format = describe() }
    guard let format, let range = Self.place(kept, in: memory) else { return .broken }
    return .picture(Unit(range: range, format: format, isKeyFrame: isKeyFrame, isReference: isReference))
  }

  // MARK: Parameter sets

  /// Remembers a set; false for one that cannot be read.
  private mutating func note(_ set: UnsafeRawBufferPointer) -> Bool {
    let isSequence = set[0] & 0x1F == 7
    let bytes = [UInt8](set)
    if isSequence {
      guard let sequence = SequenceParameterSet(set) else { return false }
      if sequences.updateValue(bytes, forKey: sequence.identifier) != bytes { format = nil }
    } else {
      // Its number and that of its sequence parameter set are the first two fields.
      var bits = NALBits(UnsafeRawBufferPointer(rebasing: set.dropFirst().prefix(16)))
      let (number, sequence) = (bits.readCount(), bits.readCount())
      guard !bits.isOver, number < 256, sequence < 32 else { return false }
      if pictures.updateValue(bytes, forKey: number) != bytes { format = nil }
    }
    return true
  }

  private func describe() -> CMVideoFormatDescription? {
    func sorted(_ sets: [Int: [UInt8]]) -> [[UInt8]] { sets.sorted { $0.key < $1.key }.map(\.value) }
    let sets =
      codec == .hevc ? sets.sorted { $0.key < $1.key }.flatMap(\.value) : sorted(sequences) + sorted(pictures)
    let joined = Array(sets.joined())
    return joined.withUnsafeBytes { bytes in
      var offset = 0
      let parts = sets.map { set in
        defer { offset += set.count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + set.count])
      }
      return codec == .hevc
        ? CMVideoFormatDescription(hevc: parts, nalUnitHeaderLength: Self.lengthBytes)
        : CMVideoFormatDescription(h264: parts, nalUnitHeaderLength: Self.lengthBytes)
    }
  }

  // MARK: NAL units

  /// The ranges of NAL units between start codes, without the zeros that fill up behind them; `nil` for bytes that do not begin
  /// with a start code.
  private static func units(in bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    guard var begin = startCode(in: bytes, from: 0), bytes[..<(begin - 1)].allSatisfy({ $0 == 0 }) else {
      return nil
    }
    var units: [Range<Int>] = []
    while begin < bytes.count, units.count < mostUnits {
      let next = startCode(in: bytes, from: begin)
      var end = next.map { $0 - 3 } ?? bytes.count
      // The last byte of a NAL unit is never 0.
      while end > begin, bytes[end - 1] == 0 { end -= 1 }
      if end > begin { units.append(begin..<end) }
      begin = next ?? bytes.count
    }
    return units
  }

  /// The position after the first start code (0, 0, 1) that begins at `index` or later.
  private static func startCode(in bytes: UnsafeRawBufferPointer, from index: Int) -> Int? {
    var third = index + 2
    while third < bytes.count {
      switch bytes[third] {
      case 0: third += 1
      case 1 where bytes[third - 1] == 0 && bytes[third - 2] == 0: return third + 1
      default: third += 3
      }
    }
    return nil
  }

  /// Puts NAL units one behind another, each behind its length; `nil` when the buffer has no room.
  private static func place(_ units: [Range<Int>], in memory: UnsafeMutableRawBufferPointer) -> Range<Int>? {
    guard let base = memory.baseAddress else { return nil }
    var total = 0
    // Where each begins, counted from the first length.
    let offsets = units.map { unit in
      defer { total += lengthBytes + unit.count }
      return total + lengthBytes
    }
    guard total <= memory.count, let longest = units.indices.max(by: { units[$0].count < units[$1].count })
    else { return nil }
    let start = min(max(units[longest].lowerBound - offsets[longest], 0), memory.count - total)
    func move(_ index: Int) {
      memmove(base + start + offsets[index], base + units[index].lowerBound, units[index].count)
    }
    // Those that go back from the last on, then those that come forward from the first on: none lands on one that waits.
    for index in units.indices.reversed() where start + offsets[index] > units[index].lowerBound {
      move(index)
    }
    for index in units.indices where start + offsets[index] < units[index].lowerBound { move(index) }
    for (unit, offset) in zip(units, offsets) {
      memory.storeBytes(
        of: UInt32(unit.count).bigEndian, toByteOffset: start + offset - lengthBytes, as: UInt32.self)
    }
    return start..<start + total
  }
}
