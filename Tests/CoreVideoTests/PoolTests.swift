import CoreVideo
import Foundation
import FoundationExtras
import Linux
import Testing

private var size: CFDictionary {
  [
    kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelBufferWidthKey: 64, kCVPixelBufferHeightKey: 32,
  ]
}

private func makePool(_ poolAttributes: CFDictionary? = nil) throws -> CVPixelBufferPool {
  var pool: CVPixelBufferPool?
  #expect(CVPixelBufferPoolCreate(kCFAllocatorDefault, poolAttributes, size, &pool) == kCVReturnSuccess)
  return try #require(pool)
}

private func take(_ pool: CVPixelBufferPool, threshold: Int? = nil) -> (CVPixelBuffer?, CVReturn) {
  var buffer: CVPixelBuffer?
  let auxiliary = threshold.map {
    [kCVPixelBufferPoolAllocationThresholdKey: NSNumber(value: $0)] as CFDictionary
  }
  let result = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, auxiliary, &buffer)
  return (buffer, result)
}

/// A clock that a test moves by hand.
private final class HandClock: Sendable {
  private let time = Locked(MonotonicInstant(nanoseconds: 0))

  func advance(seconds: Double) {
    time.withLock { $0 = $0.advanced(byNanoseconds: Int64(seconds * 1e9)) }
  }

  var now: @Sendable () -> MonotonicInstant {
    { [time] in time.withLock { $0 } }
  }
}

@Suite("CVPixelBufferPool")
struct PoolTests {
  @Test func `buffers are as the attributes say`() throws {
    let pool = try makePool()
    let buffer = try #require(take(pool).0)
    #expect(CVPixelBufferGetWidth(buffer) == 64)
    #expect(CVPixelBufferGetHeight(buffer) == 32)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    #expect(buffer.planes.allSatisfy { $0.bytes.allSatisfy { $0 == 0 } })
    #expect(CVPixelBufferPoolGetPixelBufferAttributes(pool)?[kCVPixelBufferWidthKey] as? Int == 64)
    #expect(CVPixelBufferPoolGetAttributes(pool) == nil)
    #expect(CFGetTypeID(pool) == CVPixelBufferPoolGetTypeID())
  }

  @Test func `of several formats the first that can be made is taken`() throws {
    var pool: CVPixelBufferPool?
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: [
        NSNumber(value: kCVPixelFormatType_Lossless_32BGRA), NSNumber(value: kCVPixelFormatType_32BGRA),
      ],
      kCVPixelBufferWidthKey as String: 8, kCVPixelBufferHeightKey as String: 8,
    ]
    #expect(CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) == kCVReturnSuccess)
    let made = try #require(pool)
    let buffer = try #require(take(made).0)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
    #expect(
      LooseNumber.code(CVPixelBufferCopyCreationAttributes(buffer)[kCVPixelBufferPixelFormatTypeKey])
        == kCVPixelFormatType_32BGRA)
  }

  @Test func `attributes that cannot be right are refused`() {
    var pool: CVPixelBufferPool?
    func create(_ poolAttributes: CFDictionary?, _ changes: CFDictionary) -> CVReturn {
      CVPixelBufferPoolCreate(nil, poolAttributes, size.merging(changes) { $1 }, &pool)
    }
    #expect(create([kCVPixelBufferPoolMinimumBufferCountKey: -1], [:]) == kCVReturnInvalidPoolAttributes)
    #expect(create([kCVPixelBufferPoolMaximumBufferAgeKey: "old"], [:]) == kCVReturnInvalidPoolAttributes)
    #expect(create(nil, [kCVPixelBufferPixelFormatTypeKey: 7]) == kCVReturnInvalidPixelFormat)
    #expect(create(nil, [kCVPixelBufferWidthKey: 0]) == kCVReturnInvalidSize)
    #expect(create(nil, [kCVPixelBufferWidthKey: "64"]) == kCVReturnInvalidSize)
    #expect(
      create(nil, [kCVPixelBufferPlaneAlignmentKey: 0]) == kCVReturnInvalidPixelBufferAttributes)
    #expect(CVPixelBufferPoolCreate(nil, nil, nil, &pool) == kCVReturnInvalidPixelFormat)
    #expect(pool == nil)
  }

  @Test func `memory comes back and is used again, the last used first`() throws {
    let pool = try makePool()
    var first = take(pool).0
    var second = take(pool).0
    let firstAddress = try #require(first).planes[0].baseAddress
    let secondAddress = try #require(second).planes[0].baseAddress
    #expect(firstAddress != secondAddress)
    first = nil
    second = nil
    #expect(pool.unusedCount == 2)
    first = take(pool).0
    #expect(first?.planes[0].baseAddress == secondAddress)
    second = take(pool).0
    #expect(second?.planes[0].baseAddress == firstAddress)
    #expect(pool.count == 2)
  }

  @Test func `a buffer used again has lost its attachments but those of the pool`() throws {
    let pool = try CVPixelBufferPool(
      poolAttributes: [:],
      pixelBufferAttributes: size.merging([
        kCVBufferPropagatedAttachmentsKey: [
          kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_P3_D65
        ]
      ]) { $1 })
    do {
      let buffer = try pool.makeBuffer()
      CVBufferSetAttachment(buffer, "mine", 1, .shouldPropagate)
      CVBufferRemoveAttachment(buffer, kCVImageBufferColorPrimariesKey)
      CVPixelBufferLockBaseAddress(buffer, [])
    }
    let buffer = try pool.makeBuffer()
    #expect(
      CVBufferCopyAttachments(buffer, .shouldPropagate) as? [String: String]
        == [kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_P3_D65])
    #expect(CVPixelBufferGetBaseAddress(buffer) == nil, "locks do not outlive the buffer")
  }

  @Test func `a threshold refuses new memory, not memory that came back`() throws {
    let pool = try makePool()
    var first = take(pool, threshold: 2).0
    let second = take(pool, threshold: 2).0
    #expect(first != nil && second != nil)
    #expect(take(pool, threshold: 2).1 == kCVReturnWouldExceedAllocationThreshold)
    #expect(take(pool, threshold: 2).0 == nil)
    first = nil
    #expect(take(pool, threshold: 2).1 == kCVReturnSuccess)
    #expect(take(pool, threshold: 1).1 == kCVReturnSuccess, "one came back, so nothing new is needed")
    let third = take(pool).0
    let fourth = take(pool).0
    #expect(third != nil && fourth != nil, "without a threshold the pool grows")
    #expect(pool.count == 3)
  }

  @Test func `a threshold that is no number is refused`() throws {
    var buffer: CVPixelBuffer?
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
        nil, try makePool(), [kCVPixelBufferPoolAllocationThresholdKey: "2"], &buffer)
        == kCVReturnInvalidArgument)
  }

  @Test func `after a refusal the pool reports once when a buffer comes back`() throws {
    let pool = try makePool()
    let posts = Locked(0)
    let token = NotificationCenter.default.addObserver(
      forName: Notification.Name(kCVPixelBufferPoolFreeBufferNotification), object: pool, queue: nil
    ) { _ in posts.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    var first = take(pool, threshold: 2).0
    var second = take(pool, threshold: 2).0
    #expect(take(pool, threshold: 2).0 == nil)
    #expect(first != nil && second != nil)
    first = nil
    second = nil
    #expect(posts.withLock { $0 } == 1)
  }

  @Test func `a pool's own capacity is never exceeded`() throws {
    let pool = try CVPixelBufferPool(format: kCVPixelFormatType_32BGRA, width: 8, height: 8, capacity: 3)
    var buffers = try (0..<3).map { _ in try pool.makeBuffer() }
    #expect(throws: PixelBufferError(kCVReturnWouldExceedAllocationThreshold)) { try pool.makeBuffer() }
    buffers.removeLast()
    buffers.append(try pool.makeBuffer())
    #expect(pool.count == 3)
  }

  @Test func `unused memory goes when it is too old, down to the minimum`() throws {
    let clock = HandClock()
    let pool = try CVPixelBufferPool(
      poolAttributes: [
        kCVPixelBufferPoolMaximumBufferAgeKey: 2.0, kCVPixelBufferPoolMinimumBufferCountKey: 2,
      ],
      pixelBufferAttributes: size, now: clock.now)
    var buffers = try (0..<5).map { _ in try pool.makeBuffer() }
    buffers.removeAll()
    clock.advance(seconds: 2)
    CVPixelBufferPoolFlush(pool, [])
    #expect(pool.count == 5, "exactly the maximum age is not too old")
    clock.advance(seconds: 0.5)
    CVPixelBufferPoolFlush(pool, [])
    #expect(pool.count == 2)
  }

  @Test func `a busy pool forgets only what it does not need`() throws {
    let clock = HandClock()
    let pool = try CVPixelBufferPool(poolAttributes: [:], pixelBufferAttributes: size, now: clock.now)
    var burst = try (0..<6).map { _ in try pool.makeBuffer() }
    burst.removeAll()
    for _ in 0..<60 {
      clock.advance(seconds: 1.0 / 30)
      _ = try pool.makeBuffer()
    }
    #expect(pool.count == 1)
  }

  @Test func `age zero keeps memory for ever`() throws {
    let clock = HandClock()
    let pool = try CVPixelBufferPool(
      poolAttributes: [kCVPixelBufferPoolMaximumBufferAgeKey: 0], pixelBufferAttributes: size, now: clock.now)
    _ = try pool.makeBuffer()
    clock.advance(seconds: 1e6)
    CVPixelBufferPoolFlush(pool, [])
    #expect(pool.count == 1)
  }

  @Test func `flushing excess buffers gives all unused memory back`() throws {
    let pool = try makePool([kCVPixelBufferPoolMinimumBufferCountKey: 4])
    let kept = take(pool).0
    do { _ = [take(pool).0, take(pool).0] }
    #expect(pool.count == 3)
    CVPixelBufferPoolFlush(pool, .excessBuffers)
    #expect(pool.count == 1)
    #expect(kept != nil)
  }

  @Test func `buffers outlive their pool and do not keep it alive`() throws {
    var buffer: CVPixelBuffer?
    weak var gone: CVPixelBufferPool?
    do {
      let pool = try makePool()
      gone = pool
      buffer = take(pool).0
    }
    #expect(gone == nil)
    let bytes = try #require(buffer).planes[0].bytes
    bytes[0] = 7
    #expect(bytes[0] == 7)
    buffer = nil
  }

  @Test func `ten thousand rounds allocate no memory after the first`() throws {
    let pool = try CVPixelBufferPool(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 1280, height: 720, capacity: 3)
    var addresses: Set<UnsafeMutableRawPointer> = []
    var held: CVPixelBuffer?
    for _ in 0..<10_000 {
      let buffer = try pool.makeBuffer()
      addresses.insert(buffer.planes[0].baseAddress)
      held = buffer
    }
    #expect(held != nil)
    #expect(addresses.count == 2)
    #expect(pool.count == 2)
  }

  @Test func `threads share a pool without losing memory`() throws {
    let pool = try CVPixelBufferPool(format: kCVPixelFormatType_32BGRA, width: 16, height: 16, capacity: 6)
    let threads = try (0..<4).map { index in
      try ReaderThread(name: "user \(index)") {
        for round in 0..<500 {
          guard let buffer = try? pool.makeBuffer() else { continue }
          let mark = UInt8(truncatingIfNeeded: index * 50 + round)
          buffer.planes[0].bytes.initializeMemory(as: UInt8.self, repeating: mark)
          if buffer.planes[0].bytes.contains(where: { $0 != mark }) { Issue.record("two users share memory") }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(pool.count == pool.unusedCount)
    #expect(pool.count <= 6)
  }
}
