internal import AVFoundation
internal import CFrameRings
internal import Glibc
internal import Linux

/// Memory with a ring's newest frames, all of one size, which other processes read and cannot write.
///
/// `obscura_ring.h` says how it is laid out.
final class SharedFrameMemory: @unchecked Sendable {  // Safe: only the bytes change, by one thread.
  private static let greatestSide = 1 << 15
  private static let page = 4096

  /// Its number among a ring's memories.
  let generation: UInt64
  let width: Int
  let height: Int
  private let bytesPerRow: Int
  private let slotCount: Int
  private let slotByteCount: Int
  private let firstOffset: Int
  private let descriptor: Descriptor
  private let bytes: UnsafeMutableRawBufferPointer

  /// Reserves memory for so many frames of a size.
  ///
  /// - Parameter name: The name in lists of open files.
  init(name: String, width: Int, height: Int, slotCount: Int, generation: UInt64) throws(SharedFrameProblem) {
    guard 1...Self.greatestSide ~= width, 1...Self.greatestSide ~= height else {
      let reason = "a side has from 1 to \(Self.greatestSide) pixels; choose another size"
      throw .noRoom(width: width, height: height, reason: reason)
    }
    func roundedUp(_ count: Int, to unit: Int) -> Int { (count + unit - 1) / unit * unit }
    let bytesPerRow = roundedUp(4 * width, to: 64)
    let slotByteCount = roundedUp(bytesPerRow * height, to: Self.page)
    let firstOffset = roundedUp(Int(OBSCURA_RING_COUNTER_STEP) * (slotCount + 1), to: Self.page)
    let byteCount = firstOffset + slotCount * slotByteCount
    var number: Int32 = -1
    var memory: UnsafeMutableRawPointer?
    let error = cam_ring_memory(name, byteCount, &number, &memory)
    guard error == 0 else { throw SharedFrameProblem(width: width, height: height, errno: error) }
    descriptor = Descriptor(adopting: number)
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    (self.width, self.height, self.bytesPerRow) = (width, height, bytesPerRow)
    (self.slotCount, self.slotByteCount, self.firstOffset) = (slotCount, slotByteCount, firstOffset)
    self.generation = generation
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }

  /// The slot of a frame by its number in the ring.
  func slot(of sequence: UInt64) -> Int { Int((sequence - 1) % UInt64(slotCount)) }

  /// A slot's place for a frame, in BGRA; it keeps the memory.
  func buffer(_ slot: Int) -> CVPixelBuffer? {
    guard let start = bytes.baseAddress else { return nil }
    let kept = Unmanaged.passRetained(self)
    var buffer: CVPixelBuffer?
    CVPixelBufferCreateWithBytes(
      nil, width, height, kCVPixelFormatType_32BGRA, start + firstOffset + slot * slotByteCount, bytesPerRow,
      { kept, _ in if let kept { Unmanaged<SharedFrameMemory>.fromOpaque(kept).release() } }, kept.toOpaque(),
      nil, &buffer)
    if buffer == nil { kept.release() }
    return buffer
  }

  /// Tells readers that the slot is written; before the first byte.
  ///
  /// - Parameter time: When the frame was exposed, in nanoseconds of the host's clock.
  func begin(_ slot: Int, _ sequence: UInt64, time: Int64) {
    cam_ring_begin(bytes.baseAddress, UInt32(slot), sequence, time)
  }

  /// Tells readers that the slot holds the frame; after the last byte.
  func end(_ slot: Int, _ sequence: UInt64) { cam_ring_end(bytes.baseAddress, UInt32(slot), sequence) }

  /// Tells readers that the newest frames lie in another memory.
  func retire() { cam_ring_retire(bytes.baseAddress) }

  /// Sends the hello, with the memory beside it: 0, or C's error, EAGAIN when the reader's queue is full.
  ///
  /// - Parameter sequence: The last frame that is not for the reader, or lies in another memory.
  func sendHello(to reader: Descriptor, after sequence: UInt64) -> Int32 {
    var hello = obscura_ring_hello()
    hello.magic = OBSCURA_RING_MAGIC
    hello.version = UInt16(OBSCURA_RING_VERSION)
    hello.kind = UInt16(OBSCURA_RING_HELLO)
    hello.generation = generation
    hello.memory_size = UInt64(bytes.count)
    hello.slot_size = UInt64(slotByteCount)
    hello.first_offset = UInt64(firstOffset)
    hello.after = sequence
    hello.slot_count = UInt32(slotCount)
    hello.width = UInt32(width)
    hello.height = UInt32(height)
    hello.stride = UInt32(bytesPerRow)
    hello.pixel_format = OBSCURA_RING_BGRA
    return withUnsafeBytes(of: hello) {
      cam_ring_send(reader.number, $0.baseAddress, $0.count, descriptor.number)
    }
  }

  /// Sends that a frame lies in the memory: 0, or C's error, EAGAIN when the reader's queue is full.
  func sendNews(of sequence: UInt64, to reader: Descriptor) -> Int32 {
    var news = obscura_ring_news()
    news.magic = OBSCURA_RING_MAGIC
    news.version = UInt16(OBSCURA_RING_VERSION)
    news.kind = UInt16(OBSCURA_RING_FRAME)
    news.generation = generation
    news.sequence = sequence
    return withUnsafeBytes(of: news) { cam_ring_send(reader.number, $0.baseAddress, $0.count, -1) }
  }
}
