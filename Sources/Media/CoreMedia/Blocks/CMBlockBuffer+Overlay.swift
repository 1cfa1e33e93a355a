public import Foundation
public import FoundationExtras
internal import Glibc

/// A block buffer or part of one.
///
/// Apple: `CMBlockBufferProtocol`.
public protocol CMBlockBufferProtocol {
  /// The whole block buffer.
  var owner: CMBlockBuffer { get }
  /// The position in the owner of this one's first byte.
  var startIndex: Int { get }
  /// The position in the owner behind this one's last byte.
  var endIndex: Int { get }
}

extension CMBlockBuffer: CMBlockBufferProtocol {
  /// Itself.
  public var owner: CMBlockBuffer { self }
  /// 0.
  public var startIndex: Int { 0 }
  /// The length.
  public var endIndex: Int { length }

  /// Part of a block buffer; copies nothing.
  ///
  /// Apple: `CMBlockBuffer.Slice`.
  public struct Slice: CMBlockBufferProtocol, Sendable {
    /// The whole block buffer.
    public let owner: CMBlockBuffer
    /// The position in the owner of this one's first byte.
    public let startIndex: Int
    /// The position in the owner behind this one's last byte.
    public let endIndex: Int
  }

  /// Gives memory of a length, or `nil`.
  public typealias CustomBlockAllocator = (Int) -> UnsafeMutableRawPointer?
  /// Takes memory of a length back.
  public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

  /// Flags for making a block buffer.
  ///
  /// Apple: `CMBlockBuffer.Flags`.
  public struct Flags: OptionSet, Sendable {
    /// The bits, as Apple numbers them.
    public let rawValue: UInt32

    /// Takes the bits as they are.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Allocate at once.
    public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
    /// Copy even where referring would do.
    public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
    /// Accepted without effect, as references are always flattened.
    public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
    /// Allow a reference to an empty buffer.
    public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
  }

  /// The errors of a block buffer's methods.
  ///
  /// Apple: `CMBlockBuffer.Error`.
  public struct Error {
    /// No memory for the buffer's own structure.
    public static let structureAllocationFailed = statusError(kCMBlockBufferStructureAllocationFailedErr)
    /// The allocator gave no memory for the bytes.
    public static let blockAllocationFailed = statusError(kCMBlockBufferBlockAllocationFailedErr)
    /// The custom block source cannot be used.
    public static let badCustomBlockSource = statusError(kCMBlockBufferBadCustomBlockSourceErr)
    /// The offset is outside the data.
    public static let badOffsetParameter = statusError(kCMBlockBufferBadOffsetParameterErr)
    /// The length is zero or reaches beyond the data.
    public static let badLengthParameter = statusError(kCMBlockBufferBadLengthParameterErr)
    /// A needed pointer is `nil`.
    public static let badPointerParameter = statusError(kCMBlockBufferBadPointerParameterErr)
    /// The block buffer has no data.
    public static let emptyBlockBuffer = statusError(kCMBlockBufferEmptyBBufErr)
    /// Memory was promised and is not there yet.
    public static let unallocatedBlock = statusError(kCMBlockBufferUnallocatedBlockErr)
    /// There is no room for what was asked.
    public static let insufficientSpace = statusError(kCMBlockBufferInsufficientSpaceErr)
  }

  /// Whether there is no memory at all.
  public var isEmpty: Bool { allPieces.isEmpty }

  /// Allocates all memory that was only promised so far.
  public func assureBlockMemory() throws {
    try throwUnlessSucceeded(CMBlockBufferAssureBlockMemory(self))
  }

  /// Runs `body` on the bytes from an offset to the end of the piece that holds it.
  ///
  /// - Throws: `emptyBlockBuffer`, `badOffsetParameter`, `unallocatedBlock`, or what `body` throws.
  public func withUnsafeMutableBytes<R>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) throws -> R {
    var length = 0
    var pointer: UnsafeMutablePointer<CChar>?
    try throwUnlessSucceeded(
      CMBlockBufferGetDataPointer(
        self, atOffset: offset, lengthAtOffsetOut: &length, totalLengthOut: nil, dataPointerOut: &pointer))
    return try withExtendedLifetime(self) {
      try body(UnsafeMutableRawBufferPointer(start: pointer, count: length))
    }
  }
}

extension CMBlockBufferProtocol {
  /// How many bytes there are.
  public var dataLength: Int { endIndex - startIndex }

  /// Whether all bytes lie in one piece.
  public var isContiguous: Bool {
    CMBlockBufferIsRangeContiguous(owner, atOffset: startIndex, length: dataLength)
  }

  /// Part of this, in the owner's positions.
  public subscript(bounds: Range<Int>) -> CMBlockBuffer.Slice {
    precondition(
      bounds.lowerBound >= startIndex && bounds.upperBound <= endIndex,
      "The range \(bounds) is outside of \(startIndex)..<\(endIndex).")
    return CMBlockBuffer.Slice(owner: owner, startIndex: bounds.lowerBound, endIndex: bounds.upperBound)
  }

  /// Part of this, in the owner's positions.
  public subscript(bounds: ClosedRange<Int>) -> CMBlockBuffer.Slice {
    self[bounds.lowerBound..<bounds.upperBound + 1]
  }

  /// Part of this from the start, in the owner's positions.
  public subscript(bounds: PartialRangeUpTo<Int>) -> CMBlockBuffer.Slice {
    self[startIndex..<bounds.upperBound]
  }

  /// Part of this from the start, in the owner's positions.
  public subscript(bounds: PartialRangeThrough<Int>) -> CMBlockBuffer.Slice {
    self[startIndex..<bounds.upperBound + 1]
  }

  /// Part of this to the end, in the owner's positions.
  public subscript(bounds: PartialRangeFrom<Int>) -> CMBlockBuffer.Slice {
    self[bounds.lowerBound..<endIndex]
  }

  /// All of this.
  public subscript(bounds: (UnboundedRange_) -> Void) -> CMBlockBuffer.Slice { self[startIndex..<endIndex] }

  /// Copies the bytes into `Data`.
  ///
  /// - Throws: `emptyBlockBuffer`, `unallocatedBlock`.
  public func dataBytes() throws -> Data {
    var data = Data(count: dataLength)
    try data.withUnsafeMutableBytes { try copyDataBytes(to: $0) }
    return data
  }

  /// Copies the bytes.
  ///
  /// - Parameter destination: Room for ``dataLength`` bytes at least.
  /// - Throws: `insufficientSpace`, `emptyBlockBuffer`, `unallocatedBlock`.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard destination.count >= dataLength else { throw CMBlockBuffer.Error.insufficientSpace }
    guard let address = destination.baseAddress else { throw CMBlockBuffer.Error.emptyBlockBuffer }
    try throwUnlessSucceeded(
      CMBlockBufferCopyDataBytes(owner, atOffset: startIndex, dataLength: dataLength, destination: address))
  }

  /// Overwrites the first bytes.
  ///
  /// - Throws: `badLengthParameter` when there are more than ``dataLength``, `badPointerParameter`.
  public func replaceDataBytes(with sourceBytes: UnsafeRawBufferPointer) throws {
    guard sourceBytes.count <= dataLength else { throw CMBlockBuffer.Error.badLengthParameter }
    guard let address = sourceBytes.baseAddress else { throw CMBlockBuffer.Error.badPointerParameter }
    try throwUnlessSucceeded(
      CMBlockBufferReplaceDataBytes(
        with: address, blockBuffer: owner, offsetIntoDestination: startIndex, dataLength: sourceBytes.count))
  }

  /// Fills the bytes with one value.
  public func fillDataBytes(with fillByte: UInt8) throws {
    guard dataLength > 0 else { throw CMBlockBuffer.Error.emptyBlockBuffer }
    try throwUnlessSucceeded(
      CMBlockBufferFillDataBytes(
        with: CChar(bitPattern: fillByte), blockBuffer: owner, offsetIntoDestination: startIndex,
        dataLength: dataLength))
  }

  /// Runs `body` on the bytes, copied together first where they do not lie in one piece.
  ///
  /// - Throws: `emptyBlockBuffer`, `unallocatedBlock`, or what `body` throws.
  public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    guard isContiguous else { return try dataBytes().withUnsafeBytes(body) }
    return try owner.withUnsafeMutableBytes(atOffset: startIndex) {
      try body(UnsafeRawBufferPointer(rebasing: $0[..<dataLength]))
    }
  }

  /// A block buffer with these bytes in one piece: a reference where they lie so already, else a copy.
  public func makeContiguous(
    allocator: CFAllocator? = kCFAllocatorDefault, flags: CMBlockBuffer.Flags = []
  ) throws -> CMBlockBuffer {
    var buffer: CMBlockBuffer?
    try throwUnlessSucceeded(
      CMBlockBufferCreateContiguous(
        allocator: kCFAllocatorDefault, sourceBuffer: owner, blockAllocator: allocator,
        customBlockSource: nil,
        offsetToData: startIndex, dataLength: dataLength, flags: flags.rawValue, blockBufferOut: &buffer))
    guard let buffer else { throw CMBlockBuffer.Error.structureAllocationFailed }
    return buffer
  }

  /// A block buffer with these bytes in one piece, in memory of the caller's where they must be copied.
  public func makeContiguous(
    allocator: @escaping CMBlockBuffer.CustomBlockAllocator,
    deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator, flags: CMBlockBuffer.Flags = []
  ) throws -> CMBlockBuffer {
    if !flags.contains(.alwaysCopyData), isContiguous { return try CMBlockBuffer(bufferReference: self) }
    let copy = try CMBlockBuffer(
      length: dataLength, allocator: allocator, deallocator: deallocator, flags: .assureMemoryNow)
    try copy.withUnsafeMutableBytes { try copyDataBytes(to: $0) }
    return copy
  }
}

extension CMBlockBuffer {
  /// A block buffer without data, to append to.
  public convenience init(capacity: Int = 0, flags: Flags = []) throws {
    self.init(pieces: [])
  }

  /// A block buffer on memory that `free` takes back, unless the allocator is `kCFAllocatorNull`.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
  ) throws {
    self.init(pieces: [])
    try append(buffer: buffer, allocator: allocator, flags: flags)
  }

  /// A block buffer on part of memory that `free` takes back, unless the allocator is `kCFAllocatorNull`.
  public convenience init(
    buffer: Swift.Slice<UnsafeMutableRawBufferPointer>, allocator: CFAllocator? = kCFAllocatorDefault,
    flags: Flags = []
  ) throws {
    self.init(pieces: [])
    try append(buffer: buffer, allocator: allocator, flags: flags)
  }

  /// A block buffer on memory that is allocated when first needed.
  ///
  /// - Parameter range: The data in that memory; `nil` means all.
  public convenience init(
    length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil, flags: Flags = []
  ) throws {
    self.init(pieces: [])
    try append(length: length, allocator: allocator, range: range, flags: flags)
  }

  /// A block buffer on memory that `deallocator` takes back.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator, flags: Flags = []
  ) throws {
    self.init(pieces: [])
    try append(buffer: buffer, deallocator: deallocator, flags: flags)
  }

  /// A block buffer on part of memory that `deallocator` takes back.
  public convenience init(
    buffer: Swift.Slice<UnsafeMutableRawBufferPointer>, deallocator: @escaping CustomBlockDeallocator,
    flags: Flags = []
  ) throws {
    self.init(pieces: [])
    try append(buffer: buffer, deallocator: deallocator, flags: flags)
  }

  /// A block buffer on memory that `allocator` gives when first needed and `deallocator` takes back.
  ///
  /// - Parameter range: The data in that memory; `nil` means all.
  public convenience init(
    length: Int, allocator: @escaping CustomBlockAllocator, deallocator: @escaping CustomBlockDeallocator,
    range: Range<Int>? = nil, flags: Flags = []
  ) throws {
    self.init(pieces: [])
    try append(length: length, allocator: allocator, deallocator: deallocator, range: range, flags: flags)
  }

  /// A block buffer that shares the memory of another, or of part of one.
  public convenience init<T>(bufferReference: T, flags: Flags = []) throws where T: CMBlockBufferProtocol {
    self.init(pieces: [])
    try append(bufferReference: bufferReference, flags: flags)
  }

  /// Appends memory that is allocated when first needed.
  public func append(
    length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil, flags: Flags = []
  ) throws {
    let range = range ?? 0..<length
    try throwUnlessSucceeded(
      CMBlockBufferAppendMemoryBlock(
        self, memoryBlock: nil, length: length, blockAllocator: allocator, customBlockSource: nil,
        offsetToData: range.lowerBound, dataLength: range.count, flags: flags.rawValue))
  }

  /// Appends memory that `free` takes back, unless the allocator is `kCFAllocatorNull`.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
  ) throws {
    try append(buffer: buffer[...], allocator: allocator, flags: flags)
  }

  /// Appends part of memory that `free` takes back, unless the allocator is `kCFAllocatorNull`.
  public func append(
    buffer: Swift.Slice<UnsafeMutableRawBufferPointer>, allocator: CFAllocator? = kCFAllocatorDefault,
    flags: Flags = []
  ) throws {
    let ownsNothing = allocator == kCFAllocatorNull
    try append(buffer: buffer, deallocator: { memory, _ in if !ownsNothing { free(memory) } }, flags: flags)
  }

  /// Appends memory that `deallocator` takes back.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator, flags: Flags = []
  ) throws {
    try append(buffer: buffer[...], deallocator: deallocator, flags: flags)
  }

  /// Appends part of memory that `deallocator` takes back, as a whole.
  public func append(
    buffer: Swift.Slice<UnsafeMutableRawBufferPointer>, deallocator: @escaping CustomBlockDeallocator,
    flags: Flags = []
  ) throws {
    guard let address = buffer.base.baseAddress else { throw Error.badPointerParameter }
    try append(
      MemoryBlock(address, length: buffer.base.count, allocate: { nil }, release: deallocator),
      range: buffer.startIndex..<buffer.endIndex, flags: flags)
  }

  /// Appends memory that `allocator` gives when first needed and `deallocator` takes back.
  public func append(
    length: Int, allocator: @escaping CustomBlockAllocator, deallocator: @escaping CustomBlockDeallocator,
    range: Range<Int>? = nil, flags: Flags = []
  ) throws {
    try append(
      MemoryBlock(nil, length: length, allocate: { allocator(length) }, release: deallocator),
      range: range ?? 0..<length, flags: flags)
  }

  /// Appends another block buffer, or part of one, sharing its memory.
  public func append<T>(bufferReference: T, flags: Flags = []) throws where T: CMBlockBufferProtocol {
    guard bufferReference.dataLength > 0 else {
      if flags.contains(.permitEmptyReference) { return }
      throw Error.emptyBlockBuffer
    }
    try throwUnlessSucceeded(
      CMBlockBufferAppendBufferReference(
        self, targetBBuf: bufferReference.owner, offsetToData: bufferReference.startIndex,
        dataLength: bufferReference.dataLength, flags: flags.rawValue))
  }

  private func append(_ block: MemoryBlock, range: Range<Int>, flags: Flags) throws {
    guard block.length > 0 else { throw Error.badLengthParameter }
    guard range.lowerBound >= 0, range.lowerBound < block.length else { throw Error.badOffsetParameter }
    guard range.upperBound <= block.length else { throw Error.badLengthParameter }
    if flags.contains(.assureMemoryNow), block.assured() == nil { throw Error.blockAllocationFailed }
    append([BlockPiece(block: block, offset: range.lowerBound, length: range.count)])
  }
}
