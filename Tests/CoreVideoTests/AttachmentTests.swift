import CoreVideo
import Foundation
import FoundationExtras
import Linux
import Testing

private func makeBuffer(_ width: Int = 8, _ height: Int = 8) throws -> CVPixelBuffer {
  try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: width, height: height)
}

@Suite("CVBuffer: attachments")
struct AttachmentTests {
  @Test func `a value is kept with its mode until it is replaced or removed`() throws {
    let buffer = try makeBuffer()
    #expect(!CVBufferHasAttachment(buffer, "a"))
    CVBufferSetAttachment(buffer, "a", 1, .shouldPropagate)
    var mode = CVAttachmentMode.shouldNotPropagate
    #expect(CVBufferCopyAttachment(buffer, "a", &mode) as? Int == 1)
    #expect(mode == .shouldPropagate)
    CVBufferSetAttachment(buffer, "a", "two" as CFString, .shouldNotPropagate)
    #expect(CVBufferCopyAttachment(buffer, "a", &mode) as? String == "two")
    #expect(mode == .shouldNotPropagate)
    #expect(CVBufferHasAttachment(buffer, "a"))
    CVBufferRemoveAttachment(buffer, "a")
    #expect(CVBufferCopyAttachment(buffer, "a", nil) == nil)
  }

  @Test func `an absent attachment leaves the mode alone`() throws {
    var mode = CVAttachmentMode.shouldPropagate
    #expect(CVBufferCopyAttachment(try makeBuffer(), "a", &mode) == nil)
    #expect(mode == .shouldPropagate)
  }

  @Test func `the older spelling hands out an object that stays`() throws {
    let buffer = try makeBuffer()
    CVBufferSetAttachment(
      buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
    var mode = CVAttachmentMode.shouldNotPropagate
    let first = CVBufferGetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, &mode)?.takeUnretainedValue()
    let second = CVBufferGetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil)?.takeUnretainedValue()
    #expect(first as? String == kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    #expect(first === second)
    #expect(mode == .shouldPropagate)
    #expect(CVBufferGetAttachment(buffer, "none", nil) == nil)
  }

  @Test func `dictionaries hold the attachments of one mode`() throws {
    let buffer = try makeBuffer()
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate) == nil)
    CVBufferSetAttachments(buffer, ["a": 1, "b": 2] as CFDictionary, .shouldPropagate)
    CVBufferSetAttachment(buffer, "c", 3, .shouldNotPropagate)
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate) as? [String: Int] == ["a": 1, "b": 2])
    #expect(CVBufferGetAttachments(buffer, .shouldNotPropagate) as? [String: Int] == ["c": 3])
    CVBufferRemoveAllAttachments(buffer)
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate) == nil)
    #expect(CVBufferCopyAttachments(buffer, .shouldNotPropagate) == nil)
  }

  @Test func `propagation carries what should go along, and nothing else`() throws {
    let source = try makeBuffer()
    let destination = try makeBuffer()
    CVBufferSetAttachments(source, ["a": 1, "b": 2], .shouldPropagate)
    CVBufferSetAttachment(source, "private", 3, .shouldNotPropagate)
    CVBufferSetAttachment(destination, "b", 20, .shouldNotPropagate)
    CVBufferSetAttachment(destination, "own", 4, .shouldNotPropagate)
    CVBufferPropagateAttachments(source, destination)
    #expect(CVBufferCopyAttachments(destination, .shouldPropagate) as? [String: Int] == ["a": 1, "b": 2])
    #expect(CVBufferCopyAttachments(destination, .shouldNotPropagate) as? [String: Int] == ["own": 4])
    #expect(CVBufferCopyAttachments(source, .shouldPropagate)?.count == 2)
  }

  @Test func `a value's own end may touch the buffer`() throws {
    final class Value {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let buffer = try makeBuffer()
    let count = Locked(0)
    func value() -> Value {
      Value { [weak buffer] in
        if let buffer { CVBufferSetAttachment(buffer, "seen", 1, .shouldPropagate) }
        count.withLock { $0 += 1 }
      }
    }
    CVBufferSetAttachment(buffer, "a", value(), .shouldPropagate)
    CVBufferSetAttachment(buffer, "a", value(), .shouldPropagate)
    CVBufferRemoveAttachment(buffer, "a")
    CVBufferSetAttachment(buffer, "a", value(), .shouldPropagate)
    CVBufferRemoveAllAttachments(buffer)
    #expect(count.withLock { $0 } == 3)
  }

  @Test func `threads may attach and read at once`() throws {
    let buffer = try makeBuffer()
    let threads = try (0..<4).map { index in
      try ReaderThread(name: "attacher") {
        for round in 0..<300 {
          CVBufferSetAttachment(buffer, "\(index)", round, .shouldPropagate)
          _ = CVBufferCopyAttachments(buffer, .shouldPropagate)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate)?.count == 4)
  }
}

@Suite("CVImageBuffer")
struct ImageBufferTests {
  @Test func `without attachments the whole picture is shown`() throws {
    let buffer = try makeBuffer(720, 480)
    #expect(CVImageBufferGetEncodedSize(buffer) == CGSize(width: 720, height: 480))
    #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 720, height: 480))
    #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 0, y: 0, width: 720, height: 480))
    #expect(CVImageBufferIsFlipped(buffer))
  }

  @Test func `the clean aperture and the pixels' shape decide what is shown`() throws {
    let buffer = try makeBuffer(720, 480)
    CVBufferSetAttachment(
      buffer, kCVImageBufferCleanApertureKey,
      [
        kCVImageBufferCleanApertureWidthKey: 704, kCVImageBufferCleanApertureHeightKey: 480.0,
        kCVImageBufferCleanApertureHorizontalOffsetKey: 4,
      ] as CFDictionary, .shouldPropagate)
    CVBufferSetAttachment(
      buffer, kCVImageBufferPixelAspectRatioKey,
      [
        kCVImageBufferPixelAspectRatioHorizontalSpacingKey: NSNumber(value: 10),
        kCVImageBufferPixelAspectRatioVerticalSpacingKey: NSNumber(value: 11),
      ] as CFDictionary, .shouldPropagate)
    #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 12, y: 0, width: 704, height: 480))
    #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 640, height: 480))
    CVBufferSetAttachment(
      buffer, kCVImageBufferDisplayDimensionsKey,
      [kCVImageBufferDisplayWidthKey: 320, kCVImageBufferDisplayHeightKey: 240] as CFDictionary,
      .shouldPropagate)
    #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 320, height: 240))
  }

  @Test func `colour texts and code points go both ways`() {
    #expect(CVYCbCrMatrixGetIntegerCodePointForString(kCVImageBufferYCbCrMatrix_ITU_R_601_4) == 6)
    #expect(CVYCbCrMatrixGetStringForIntegerCodePoint(5) == kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    #expect(CVColorPrimariesGetIntegerCodePointForString(kCVImageBufferColorPrimaries_P3_D65) == 12)
    #expect(CVTransferFunctionGetIntegerCodePointForString(kCVImageBufferTransferFunction_sRGB) == 13)
    #expect(CVTransferFunctionGetStringForIntegerCodePoint(6) == kCVImageBufferTransferFunction_ITU_R_709_2)
    #expect(CVTransferFunctionGetIntegerCodePointForString("?") == 2)
    #expect(CVColorPrimariesGetIntegerCodePointForString(nil) == 2)
    #expect(CVColorPrimariesGetStringForIntegerCodePoint(2) == nil)
    for code: Int32 in 0..<256 {
      if let text = CVYCbCrMatrixGetStringForIntegerCodePoint(code), code != 5 {
        #expect(CVYCbCrMatrixGetIntegerCodePointForString(text) == code)
      }
      if let text = CVColorPrimariesGetStringForIntegerCodePoint(code) {
        #expect(CVColorPrimariesGetIntegerCodePointForString(text) == code)
      }
    }
  }

  @Test func `the host clock counts nanoseconds forward`() {
    let before = UInt64(MonotonicInstant.now.nanoseconds)
    let first = CVGetCurrentHostTime()
    let second = CVGetCurrentHostTime()
    #expect(before <= first && first <= second)
    #expect(CVGetHostClockFrequency() == 1e9)
    #expect(second <= UInt64(MonotonicInstant.now.nanoseconds))
  }
}
