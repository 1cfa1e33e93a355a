import CaptureDevice
import Linux
import SeededNumbers
import StreamParts
import Testing
import V4L2Devices

/// A camera that is found, opened, streamed and closed, while any one of the kernel's answers is another than expected.
@Suite("V4L2: any answer, at any call")
struct AnyCallTests {
  /// The end of a story: pictures came, or one sentence says why not.
  private enum End: Equatable {
    case pictures
    case refused(String)
    /// A camera whose node does not answer is none.
    case noCamera
  }

  private static func kernel() -> ScriptedKernel {
    var camera = KernelCamera.webcam()
    camera.isAutomatic = true
    return ScriptedKernel([camera])
  }

  private func story(_ kernel: ScriptedKernel, silence: Int64 = SilenceTimeout.longNanoseconds) throws -> End
  {
    do {
      let stream = try kernel.camera(silenceNanoseconds: silence).open()
      let log = EventLog()
      try stream.start(log.receive)
      #expect(log.wait { $0.sequences.count >= 2 || $0.failure != nil }, "neither pictures nor a failure")
      stream.stop()
      return log.now.failure.map { .refused($0.message) } ?? .pictures
    } catch let error as CaptureDeviceError {
      return .refused(error.message)
    } catch ScriptedKernel.Missing.camera {
      return .noCamera
    }
  }

  @Test(arguments: ScriptedKernel.CallFault.allCases)
  func `any call that is answered otherwise is survived or said, and leaves nothing open`(
    fault: ScriptedKernel.CallFault
  ) throws {
    let whole = Self.kernel()
    #expect(try story(whole) == .pictures && whole.isGivenBack())
    let count = whole.calls.count
    let tried = FuzzCount(usual: 6, all: count).value
    for number in Set((0..<tried).map { $0 * count / tried + 1 }).sorted() {
      let kernel = Self.kernel()
      kernel.trap(number, fault)
      let end = try story(kernel, silence: 300_000_000)
      #expect(kernel.isGivenBack(), "\(fault) at call \(number): something is left open")
      if case .refused(let sentence) = end {
        #expect(
          sentence.hasSuffix(".") && sentence.contains("Webcam"), "\(fault) at call \(number): \(sentence)")
      }
      kernel.disarm()
      if fault != .unplug {
        #expect(try story(kernel) == .pictures, "\(fault) at call \(number): the next start fails")
        #expect(kernel.isGivenBack(), "\(fault) at call \(number): the next start leaves something open")
      }
    }
  }
}
