import CoreMedia
import Foundation
import FoundationExtras
import Linux
import Testing

/// A count that threads may share.
final class Counter: Sendable {
  private let number = Locked(0)

  var value: Int { number.withLock { $0 } }
  func increment() { number.withLock { $0 += 1 } }
}

private func foreignMemory(_ bytes: [UInt8], released: Counter) -> CMBlockBuffer {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
  memory.copyBytes(from: bytes)
  let address = UInt(bitPattern: memory.baseAddress)
  return CMBlockBuffer(wrapping: memory) {
    UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    released.increment()
  }
}

@Suite struct `Block buffers` {
  @Test func `foreign memory is given back once, after the last reference`() throws {
    let released = Counter()
    var buffer: CMBlockBuffer? = foreignMemory([1, 2, 3, 4], released: released)
    var reference = try buffer.map { try CMBlockBuffer(bufferReference: $0[1..<3]) }
    buffer = nil
    #expect(released.value == 0)
    #expect(try reference?.dataBytes() == Data([2, 3]))
    reference = nil
    #expect(released.value == 1)
  }

  @Test func `references share memory and do not copy`() throws {
    let buffer = foreignMemory([1, 2, 3, 4], released: Counter())
    let reference = try CMBlockBuffer(bufferReference: buffer[2...])
    try reference.fillDataBytes(with: 9)
    #expect(try buffer.dataBytes() == Data([1, 2, 9, 9]))
  }

  @Test func `pieces read as one`() throws {
    let whole = try CMBlockBuffer()
    try whole.append(bufferReference: foreignMemory([1, 2, 3], released: Counter()))
    try whole.append(bufferReference: foreignMemory([4, 5], released: Counter())[1...])
    #expect(whole.dataLength == 4)
    #expect(!whole.isContiguous)
    #expect(try whole.dataBytes() == Data([1, 2, 3, 5]))
    #expect(CMBlockBufferIsRangeContiguous(whole, atOffset: 0, length: 3))
    #expect(!CMBlockBufferIsRangeContiguous(whole, atOffset: 2, length: 2))
    #expect(try whole.withUnsafeMutableBytes(atOffset: 1) { $0.count } == 2)
    #expect(try whole.withContiguousStorage { Array($0) } == [1, 2, 3, 5])
    let copy = try whole.makeContiguous()
    #expect(copy.isContiguous)
    #expect(try copy.dataBytes() == Data([1, 2, 3, 5]))
    try [7, 8, 9].withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      try whole[1...].replaceDataBytes(with: UnsafeRawBufferPointer(rebasing: bytes[0..<1]))
    }
    #expect(try whole.dataBytes()[1] == 7)
  }

  @Test func `what lies in one piece already is not copied to be contiguous`() throws {
    let buffer = foreignMemory([1, 2, 3, 4], released: Counter())
    let same = try buffer[1...].makeContiguous()
    try same.fillDataBytes(with: 0)
    #expect(try buffer.dataBytes() == Data([1, 0, 0, 0]))
    let copy = try buffer.makeContiguous(flags: .alwaysCopyData)
    try copy.fillDataBytes(with: 5)
    #expect(try buffer.dataBytes() == Data([1, 0, 0, 0]))
  }

  @Test func `memory is allocated when first needed, and given back only then`() throws {
    let (allocated, released) = (Counter(), Counter())
    func make() throws -> CMBlockBuffer {
      try CMBlockBuffer(
        length: 8,
        allocator: {
          allocated.increment()
          return UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 16)
        },
        deallocator: { memory, _ in
          memory.deallocate()
          released.increment()
        }, range: 2..<6)
    }
    _ = try make()
    #expect(allocated.value == 0)
    #expect(released.value == 0)
    do {
      let buffer = try make()
      #expect(buffer.dataLength == 4)
      #expect(throws: CMBlockBuffer.Error.unallocatedBlock) { try buffer.dataBytes() }
      try buffer.fillDataBytes(with: 3)
      #expect(try buffer.dataBytes() == Data([3, 3, 3, 3]))
      try buffer.assureBlockMemory()
    }
    #expect(allocated.value == 1)
    #expect(released.value == 1)
  }

  @Test func `the C calls take a custom source`() {
    let released = Counter()
    var source = CMBlockBufferCustomBlockSource(
      version: kCMBlockBufferCustomBlockSourceVersion, AllocateBlock: { _, size in malloc(size) },
      FreeBlock: { context, memory, _ in
        free(memory)
        context.map { Unmanaged<Counter>.fromOpaque($0).takeUnretainedValue().increment() }
      }, refCon: Unmanaged.passUnretained(released).toOpaque())
    var buffer: CMBlockBuffer?
    let status = CMBlockBufferCreateWithMemoryBlock(
      allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: 16, blockAllocator: nil,
      customBlockSource: &source, offsetToData: 4, dataLength: 12, flags: kCMBlockBufferAssureMemoryNowFlag,
      blockBufferOut: &buffer)
    #expect(status == kCMBlockBufferNoErr)
    var (length, total) = (0, 0)
    var pointer: UnsafeMutablePointer<CChar>?
    if let buffer {
      #expect(
        CMBlockBufferGetDataPointer(
          buffer, atOffset: 2, lengthAtOffsetOut: &length, totalLengthOut: &total, dataPointerOut: &pointer)
          == 0)
    }
    #expect(length == 10)
    #expect(total == 12)
    #expect(pointer != nil)
    buffer = nil
    #expect(released.value == 1)
  }

  @Test func `bad offsets and lengths are distinguished`() throws {
    let buffer = foreignMemory([1, 2, 3, 4], released: Counter())
    var byte: UInt8 = 0
    func copy(_ offset: Int, _ length: Int) -> OSStatus {
      CMBlockBufferCopyDataBytes(buffer, atOffset: offset, dataLength: length, destination: &byte)
    }
    #expect(copy(4, 1) == kCMBlockBufferBadOffsetParameterErr)
    #expect(copy(-1, 1) == kCMBlockBufferBadOffsetParameterErr)
    #expect(copy(2, 3) == kCMBlockBufferBadLengthParameterErr)
    #expect(copy(3, 1) == kCMBlockBufferNoErr)
    #expect(byte == 4)
    let empty = try CMBlockBuffer()
    #expect(empty.isEmpty)
    #expect(throws: CMBlockBuffer.Error.emptyBlockBuffer) { try CMBlockBuffer(bufferReference: empty) }
    #expect(throws: Never.self) { try CMBlockBuffer(bufferReference: empty, flags: .permitEmptyReference) }
  }
}
