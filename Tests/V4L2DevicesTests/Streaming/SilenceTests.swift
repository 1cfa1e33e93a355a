import CaptureDevice
import Foundation
import Linux
import StreamParts
import Testing
import V4L2Devices

@Suite("V4L2: how long a camera may be silent")
struct SilenceTests {
  private static let frame: Int64 = 33_000_000
  private static let second: Int64 = 1_000_000_000

  private func watch(_ nanoseconds: Int64 = SilenceTimeout.shortNanoseconds) -> SilenceWatch {
    SilenceWatch(SilenceTimeout(nanoseconds: nanoseconds), frame: Self.frame)
  }

  /// Waits in vain until the watch says it is over, and returns how long that was in time as the machine sees it.
  private func silence(
    _ watch: inout SilenceWatch, late: Int64 = 0, isDry: Bool = false, exposure: Int64? = nil
  ) -> Int64 {
    var elapsed: Int64 = 0
    while elapsed < 100 * Self.second {
      let asked = isDry ? 20_000_000 : watch.nextWait
      watch.waited(asked + late, asked: asked)
      elapsed += asked + late
      if watch.isOver(isDry: isDry, exposure: { exposure }) { return elapsed }
    }
    return elapsed
  }

  @Test(arguments: [
    ("vivid", "platform:vivid-000", SilenceTimeout.shortNanoseconds),
    ("unicam", "platform:fe801000.csi", SilenceTimeout.shortNanoseconds),
    ("uvcvideo", "usb-0000:00:14.0-2", SilenceTimeout.longNanoseconds),
    ("cobalt", "PCI:0000:06:00.0", SilenceTimeout.longNanoseconds),
    ("v4l2 loopback", "platform:v4l2loopback-000", SilenceTimeout.longNanoseconds),
  ])
  func `timeout is long where a cable or a program stands before the sensor`(
    _ driver: String, _ bus: String, _ nanoseconds: Int64
  ) {
    #expect(SilenceTimeout(driver: driver, bus: bus).nanoseconds == nanoseconds)
  }

  @Test func `a sensor that falls silent is over within a second`() {
    var watch = watch()
    #expect(silence(&watch) == SilenceTimeout.shortNanoseconds + 3 * Self.frame)
  }

  @Test func `a machine that lets every wait take seconds does not end the stream for that`() {
    var watch = watch()
    #expect(silence(&watch, late: 2 * Self.second) > 10 * Self.second)
  }

  @Test func `a camera that has slowed down is waited for as long as three of its frames take`() {
    var watch = watch()
    watch.waited(400_000_000, asked: 400_000_000)
    watch.heard()
    #expect(silence(&watch) == SilenceTimeout.shortNanoseconds + 3 * 400_000_000)
    // Back at its rate, the hiccup is soon forgotten.
    for _ in 0..<40 {
      watch.heard()
      watch.waited(Self.frame, asked: SilenceWatch.tick)
    }
    watch.heard()
    #expect(silence(&watch) == SilenceTimeout.shortNanoseconds + 3 * Self.frame)
  }

  @Test func `a long exposure is waited for`() {
    var watch = watch()
    #expect(
      silence(&watch, exposure: Self.second) == SilenceTimeout.shortNanoseconds + 3 * Self.frame + 3
        * Self.second)
  }

  @Test func `a driver without a buffer to fill is given the long timeout`() {
    var watch = watch()
    #expect(silence(&watch, isDry: true) == SilenceTimeout.longNanoseconds)
  }

  @Test func `a stream that was heard ends after its timeout and says for how long nothing came`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.failure?.code == .noFrames })
    #expect(log.now.sequences == [0])
    #expect(log.now.failure?.message.contains("sent no picture for 0.") == true)
    stream.stop()
  }
}
