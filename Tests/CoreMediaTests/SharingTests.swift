import CoreMedia
import CoreVideo
import Dispatch
import FoundationExtras
import Testing

/// For ThreadSanitizer: everything that may be shared is, and nothing gets lost.
@Suite struct `Sharing between threads` {
  @Test func `attachments, copies and references`() throws {
    let image = try pixelBuffer()
    let sample = CMSampleBuffer(
      picture: image, formatDescription: try CMFormatDescription(imageBuffer: image), timing: .invalid)
    let block = [UInt8](repeating: 1, count: 64).withUnsafeBytes { CMBlockBuffer(copying: $0) }
    let failures = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<100 {
        for bearer in [sample, block, image] as [AnyObject] {
          CMSetAttachment(
            bearer, key: "\(thread)", value: round, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        let copy = try? CMSampleBuffer(copying: sample)
        if copy?.attachments["\(thread)"]?.value as? Int != round { failures.increment() }
        let reference = try? CMBlockBuffer(bufferReference: block[thread..<thread + 8])
        if reference?.dataLength != 8 { failures.increment() }
        _ = CMSampleBufferSetOutputPresentationTimeStamp(
          sample, newValue: CMTime(value: Int64(round), timescale: 1))
      }
    }
    #expect(failures.value == 0)
    #expect(sample.attachments.propagated.count == 8)
  }

  @Test func `one block buffer, appended to by many`() throws {
    let whole = try CMBlockBuffer()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { try? whole.append(length: 3, flags: .assureMemoryNow) }
    }
    #expect(whole.dataLength == 8 * 50 * 3)
  }

  @Test func `promised memory is allocated for all at once`() throws {
    let released = Counter()
    do {
      let buffer = try CMBlockBuffer(
        length: 16, allocator: { UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 16) },
        deallocator: { memory, _ in
          memory.deallocate()
          released.increment()
        })
      DispatchQueue.concurrentPerform(iterations: 8) { _ in try? buffer.assureBlockMemory() }
      let given = released.value
      #expect(given < 8, "one was kept")
    }
    #expect(released.value >= 1)
  }

  @Test func `timebases change while they are read`() throws {
    let lower = try CMTimebase(sourceClock: .hostTimeClock)
    let upper = try CMTimebase(sourceTimebase: lower)
    let failures = Counter()
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      for round in 1...50 {
        switch thread % 3 {
        case 0: if CMTimebaseSetRate(lower, rate: Double(round % 3)) != noErr { failures.increment() }
        case 1:
          if CMTimebaseSetTime(upper, time: CMTime(value: Int64(round), timescale: 1)) != noErr {
            failures.increment()
          }
        default: if !upper.time.isNumeric || !upper.effectiveRate.isFinite { failures.increment() }
        }
      }
    }
    #expect(failures.value == 0)
  }
}
