import CoreVideo
import Foundation
import FoundationExtras
import Linux
import Testing

private func makeBuffer(
  _ width: Int = 16, _ height: Int = 8, _ format: OSType = kCVPixelFormatType_32BGRA,
  _ attributes: CFDictionary? = nil
) throws -> CVPixelBuffer {
  var buffer: CVPixelBuffer?
  let result = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
  #expect(result == kCVReturnSuccess)
  return try #require(buffer)
}

@Suite("CVPixelBuffer: creation")
struct PixelBufferCreationTests {
  @Test func `client code as on Apple compiles and works`() throws {
    let attributes =
      [
        kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!,
        kCVPixelBufferCGBitmapContextCompatibilityKey: kCFBooleanTrue!,
        kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
        kCVPixelBufferMetalCompatibilityKey as String: true,
      ] as CFDictionary
    var pixelBuffer: CVPixelBuffer?
    let status = CVPixelBufferCreate(
      kCFAllocatorDefault, Int(32), Int(16), kCVPixelFormatType_32BGRA, attributes, &pixelBuffer)
    guard status == kCVReturnSuccess, let buffer = pixelBuffer else {
      Issue.record("no buffer")
      return
    }
    CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
    defer { CVPixelBufferUnlockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0)) }
    let bytes = CVPixelBufferGetBaseAddress(buffer)?.assumingMemoryBound(to: UInt8.self)
    #expect(bytes?[0] == 0)
    #expect(CFGetTypeID(buffer) == CVPixelBufferGetTypeID())
    let made = CVPixelBufferCopyCreationAttributes(buffer)
    #expect(made[kCVPixelBufferWidthKey] as? Int == 32)
    #expect(made[kCVPixelBufferMetalCompatibilityKey] as? Bool == true)
    #expect(LooseNumber.code(made[kCVPixelBufferPixelFormatTypeKey]) == kCVPixelFormatType_32BGRA)
  }

  @Test func `new memory is zero and starts on a page`() throws {
    let buffer = try makeBuffer(100, 50)
    #expect(buffer.planes[0].bytes.allSatisfy { $0 == 0 })
    #expect(Int(bitPattern: buffer.planes[0].baseAddress) % 4096 == 0)
  }

  @Test(arguments: [(0, 8), (8, 0), (-1, 8), (8, -1), (Int.max, 1), (1 << 25, 1)])
  func `a size that makes no sense is refused`(width: Int, height: Int) {
    var buffer: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer) == kCVReturnInvalidSize
    )
    #expect(buffer == nil)
  }

  @Test func `more than the memory is refused without a crash`() {
    var buffer: CVPixelBuffer?
    let result = CVPixelBufferCreate(nil, 1 << 24, 1 << 24, kCVPixelFormatType_128RGBAFloat, nil, &buffer)
    #expect(result == kCVReturnAllocationFailed)
  }

  @Test(arguments: [(1, 21), (4, 24), (16, 32), (100, 100), (4096, 4096)])
  func `rows keep the alignment that was asked for`(alignment: Int, bytesPerRow: Int) throws {
    let buffer = try makeBuffer(
      7, 3, kCVPixelFormatType_24RGB, [kCVPixelBufferBytesPerRowAlignmentKey: alignment])
    #expect(CVPixelBufferGetBytesPerRow(buffer) == bytesPerRow)
  }

  @Test func `planes keep the alignment that was asked for`() throws {
    let buffer = try makeBuffer(
      10, 3, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, [kCVPixelBufferPlaneAlignmentKey: 4096])
    #expect(buffer.planes[1].baseAddress - buffer.planes[0].baseAddress == 4096)
  }

  @Test(
    arguments: [
      [kCVPixelBufferBytesPerRowAlignmentKey: 0], [kCVPixelBufferBytesPerRowAlignmentKey: "16"],
      [kCVPixelBufferExtendedPixelsLeftKey: -1], [kCVPixelBufferPlaneAlignmentKey: 1.5],
    ] as [[String: any Sendable]])
  func `attributes of the wrong kind are refused`(attributes: [String: any Sendable]) {
    var buffer: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(nil, 8, 8, kCVPixelFormatType_32BGRA, attributes as CFDictionary, &buffer)
        == kCVReturnInvalidPixelBufferAttributes)
  }

  @Test func `extended pixels lie around every plane`() throws {
    let buffer = try makeBuffer(
      16, 8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      [
        kCVPixelBufferExtendedPixelsLeftKey: 6, kCVPixelBufferExtendedPixelsRightKey: 10,
        kCVPixelBufferExtendedPixelsTopKey: 2, kCVPixelBufferExtendedPixelsBottomKey: 4,
        kCVPixelBufferBytesPerRowAlignmentKey: 1, kCVPixelBufferPlaneAlignmentKey: 1,
      ])
    var (left, right, top, bottom) = (0, 0, 0, 0)
    CVPixelBufferGetExtendedPixels(buffer, &left, &right, &top, &bottom)
    #expect((left, right, top, bottom) == (6, 10, 2, 4))
    CVPixelBufferGetExtendedPixels(buffer, nil, nil, nil, nil)
    #expect(buffer.width == 16 && buffer.height == 8)
    #expect(buffer.planes[0].bytesPerRow == 32)
    #expect(buffer.planes[1].bytesPerRow == 32)
    #expect(CVPixelBufferGetDataSize(buffer) == 32 * 14 + 32 * 7)
    // The second plane's first pixel: all of the first plane, one row above, six bytes (three pairs) left.
    #expect(
      buffer.planes[1].baseAddress - buffer.planes[0].baseAddress == (32 * 14 + 32 + 6) - (2 * 32 + 6))
  }

  @Test func `attachments in the attributes are there from the start`() throws {
    let buffer = try makeBuffer(
      8, 8, kCVPixelFormatType_32BGRA,
      [
        kCVBufferPropagatedAttachmentsKey: [
          kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_P3_D65
        ],
        kCVBufferNonPropagatedAttachmentsKey: ["note": 1],
      ])
    var mode = CVAttachmentMode.shouldNotPropagate
    let primaries = CVBufferCopyAttachment(buffer, kCVImageBufferColorPrimariesKey, &mode)
    #expect(primaries as? String == kCVImageBufferColorPrimaries_P3_D65)
    #expect(mode == .shouldPropagate)
    _ = CVBufferCopyAttachment(buffer, "note", &mode)
    #expect(mode == .shouldNotPropagate)
  }

  @Test func `the log shows size, format, and planes`() throws {
    #expect(
      try makeBuffer(4, 2, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).description
        == "<CVPixelBuffer 4x2 420v [4x2 stride 64, 2x1 stride 64]>")
  }
}

/// The calls of a C callback, for the tests of foreign memory.
private final class ReleaseLog: @unchecked Sendable {  // Safe because `entries` is Locked.
  struct Entry: Equatable {
    var base: UnsafeRawPointer?
    var size = 0
    var planes: [UnsafeRawPointer?] = []
  }

  let entries = Locked<[Entry]>([])

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func at(_ context: UnsafeMutableRawPointer?) -> ReleaseLog? {
    context.map { Unmanaged<ReleaseLog>.fromOpaque($0).takeUnretainedValue() }
  }
}

@Suite("CVPixelBuffer: memory of others")
struct ForeignMemoryTests {
  @Test func `bytes are used in place and given back exactly once`() throws {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 8 * 40, alignment: 1)
    defer { bytes.deallocate() }
    let log = ReleaseLog()
    var buffer: CVPixelBuffer?
    let result = CVPixelBufferCreateWithBytes(
      nil, 9, 8, kCVPixelFormatType_32BGRA, bytes, 40,
      { context, base in
        ReleaseLog.at(context)?.entries.withLock { $0.append(ReleaseLog.Entry(base: base)) }
      }, log.context, nil, &buffer)
    #expect(result == kCVReturnSuccess)
    var other = buffer
    CVPixelBufferLockBaseAddress(try #require(buffer), .readOnly)
    let address = CVPixelBufferGetBaseAddress(try #require(buffer))
    #expect(address == bytes)
    buffer = nil
    #expect(log.entries.withLock { $0.isEmpty })
    #expect(other != nil)
    other = nil
    #expect(log.entries.withLock { $0 } == [ReleaseLog.Entry(base: bytes)])
  }

  @Test func `bytes that cannot be right are refused and not given back`() {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 1)
    defer { bytes.deallocate() }
    let log = ReleaseLog()
    var buffer: CVPixelBuffer?
    func create(_ width: Int, _ format: OSType, _ bytesPerRow: Int) -> CVReturn {
      CVPixelBufferCreateWithBytes(
        nil, width, 1, format, bytes, bytesPerRow,
        { context, _ in ReleaseLog.at(context)?.entries.withLock { $0.append(ReleaseLog.Entry()) } },
        log.context, nil, &buffer)
    }
    #expect(create(4, kCVPixelFormatType_32BGRA, 15) == kCVReturnInvalidArgument)
    #expect(create(0, kCVPixelFormatType_32BGRA, 16) == kCVReturnInvalidSize)
    #expect(create(4, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 16) == kCVReturnInvalidPixelFormat)
    #expect(create(4, kCVPixelFormatType_32BGRA, 16) == kCVReturnSuccess)
    #expect(log.entries.withLock { $0.count } == 0)
    buffer = nil
    #expect(log.entries.withLock { $0.count } == 1)
  }

  @Test func `planes are used in place and handed back together`() throws {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 200, alignment: 1)
    defer { bytes.deallocate() }
    let log = ReleaseLog()
    var buffer: CVPixelBuffer?
    var bases: [UnsafeMutableRawPointer?] = [bytes, bytes + 100]
    var widths = [7, 4]
    var heights = [5, 3]
    var strides = [10, 12]
    func create(planes: Int = 2) -> CVReturn {
      CVPixelBufferCreateWithPlanarBytes(
        nil, 7, 5, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, bytes, 200, planes, &bases, &widths,
        &heights,
        &strides,
        { context, data, size, count, planes in
          let list = (0..<count).map { planes?[$0] }
          ReleaseLog.at(context)?.entries.withLock {
            $0.append(ReleaseLog.Entry(base: data, size: size, planes: list))
          }
        }, log.context, nil, &buffer)
    }
    #expect(create(planes: 1) == kCVReturnInvalidArgument)
    strides[1] = 7
    #expect(create() == kCVReturnInvalidArgument)
    strides[1] = 12
    #expect(create() == kCVReturnSuccess)
    let made = try #require(buffer)
    #expect(made.planes.map(\.baseAddress) == [bytes, bytes + 100])
    #expect(CVPixelBufferGetBytesPerRowOfPlane(made, 1) == 12)
    #expect(CVPixelBufferGetDataSize(made) == 200)
    #expect(log.entries.withLock { $0.isEmpty })
  }

  @Test func `planes are given back exactly once`() {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 1)
    defer { bytes.deallocate() }
    let log = ReleaseLog()
    var bases: [UnsafeMutableRawPointer?] = [bytes, bytes + 32]
    var widths = [4, 2]
    var heights = [2, 1]
    var strides = [8, 8]
    var buffer: CVPixelBuffer?
    CVPixelBufferCreateWithPlanarBytes(
      nil, 4, 2, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, bytes, 64, 2, &bases, &widths, &heights,
      &strides,
      { context, data, size, count, planes in
        let list = (0..<count).map { planes?[$0] }
        ReleaseLog.at(context)?.entries.withLock {
          $0.append(ReleaseLog.Entry(base: data, size: size, planes: list))
        }
      }, log.context, nil, &buffer)
    #expect(buffer != nil)
    buffer = nil
    #expect(
      log.entries.withLock { $0 } == [ReleaseLog.Entry(base: bytes, size: 64, planes: [bytes, bytes + 32])])
  }

  @Test func `a wrapped frame comes back once, whichever thread lets go last`() throws {
    let memory = try PageMemory(byteCount: 4096)
    let base = try #require(memory.bytes.baseAddress)
    for _ in 0..<50 {
      let releases = Locked(0)
      var buffer: CVPixelBuffer? = CVPixelBuffer(
        wrapping: [PixelPlane(baseAddress: base, width: 8, height: 8, bytesPerRow: 32)],
        format: kCVPixelFormatType_32BGRA, width: 8, height: 8,
        release: {
          releases.withLock { $0 += 1 }
          withExtendedLifetime(memory) {}
        })
      let threads = try (0..<3).map { _ in
        let held = Locked(buffer)
        return try ReaderThread(name: "holder") { held.withLock { $0 = nil } }
      }
      buffer = nil
      for thread in threads { thread.join() }
      #expect(buffer == nil)
      #expect(releases.withLock { $0 } == 1)
    }
  }
}

@Suite("CVPixelBuffer: locks")
struct PixelBufferLockTests {
  @Test func `addresses are there only while locked`() throws {
    let buffer = try makeBuffer(8, 8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == nil)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == buffer.planes[0].baseAddress)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 1) == buffer.planes[1].baseAddress)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == nil)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
  }

  @Test func `locks are counted`() throws {
    let buffer = try makeBuffer()
    CVPixelBufferLockBaseAddress(buffer, [])
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnSuccess)
    #expect(CVPixelBufferGetBaseAddress(buffer) != nil)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
    #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
  }

  @Test func `unlocking too often or with other flags is an error and changes nothing`() throws {
    let buffer = try makeBuffer()
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnError)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnInvalidArgument)
    #expect(CVPixelBufferGetBaseAddress(buffer) != nil)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnError)
    #expect(
      CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 2)) == kCVReturnInvalidArgument)
  }

  @Test func `several threads may lock at once`() throws {
    let buffer = try makeBuffer()
    let threads = try (0..<4).map { _ in
      try ReaderThread(name: "locker") {
        for _ in 0..<500 {
          CVPixelBufferLockBaseAddress(buffer, .readOnly)
          if CVPixelBufferGetBaseAddress(buffer) == nil { Issue.record("locked, but without an address") }
          CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnError)
  }
}
