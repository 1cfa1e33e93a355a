import CaptureDevice
import StreamParts
import Testing

@Suite("Stream parts: requests for key frames")
struct CodedFramesTests {
  @Test func `a key frame is asked for at the start, and again when thirty pictures brought none`() {
    var frames = CodedFrames()
    let first = [frames.takeKeyFrameRequest(), frames.takeKeyFrameRequest()]
    #expect(first == [true, false])
    var requests: [Int] = []
    for number in 1...65 {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
      defer { bytes.deallocate() }
      let outcome = frames.take(bytes, used: 8, isBroken: true, UInt32(number), hasRoom: true)
      guard case .lost(.discontinuity) = outcome else {
        Issue.record("A broken buffer is a loss.")
        return
      }
      if frames.takeKeyFrameRequest() { requests.append(number) }
    }
    #expect(requests == [30, 60])
  }
}
