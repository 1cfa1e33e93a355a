import AVFoundation
import CaptureStage
import CoreVideo
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Display links")
  struct DisplayLinkTests {
    private func withLink(_ body: (SimulatedClock, CVDisplayLink) throws -> Void) throws {
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: Scene(isNoisy: false, layers: []), clock: clock)
      defer { SimulatedDevices.uninstall() }
      var made: CVDisplayLink?
      #expect(CVDisplayLinkCreateWithActiveCGDisplays(&made) == kCVReturnSuccess)
      let link = try #require(made)
      defer { CVDisplayLinkStop(link) }
      try body(clock, link)
    }

    @Test
    func `a display link calls its handler sixty times a second until it is stopped`() throws {
      try withLink { clock, link in
        let (stamps, start) = (Locked<[(CVTimeStamp, CVTimeStamp)]>([]), clock.now)
        #expect(
          CVDisplayLinkSetOutputHandler(link) { _, now, output, _, _ in
            stamps.withLock { $0.append((now.pointee, output.pointee)) }
            return kCVReturnSuccess
          } == kCVReturnSuccess)
        clock.advance(by: .seconds(1))
        #expect(stamps.withLock { $0.isEmpty } && !CVDisplayLinkIsRunning(link))
        #expect(CVDisplayLinkStart(link) == kCVReturnSuccess && CVDisplayLinkIsRunning(link))
        clock.advance(by: .seconds(2))
        #expect(CVDisplayLinkStop(link) == kCVReturnSuccess && !CVDisplayLinkIsRunning(link))
        clock.advance(by: .seconds(1))
        let all = stamps.withLock { $0 }
        #expect(all.count == 120)
        let period = CVDisplayLinkGetNominalOutputVideoRefreshPeriod(link)
        #expect(Int64(period.timeScale) == period.timeValue * 60)
        for (index, (now, output)) in all.enumerated() {
          #expect(now.videoTime == Int64(index + 1) * period.timeValue)
          #expect(output.videoTime == now.videoTime + period.timeValue)
          let passed = Int64(now.hostTime) - start.nanoseconds - 1_000_000_000
          #expect(abs(passed - Int64(index + 1) * 1_000_000_000 / 60) <= 1)
          #expect(CVTimeStampFlags(rawValue: now.flags).contains(.videoHostTimeValid))
        }
      }
    }

    @Test
    func `a display link leaves out the ticks for which its handler comes too late`() throws {
      try withLink { clock, link in
        let outputs = Locked<[Int64]>([])
        let period = CVDisplayLinkGetNominalOutputVideoRefreshPeriod(link).timeValue
        #expect(
          CVDisplayLinkSetOutputHandler(link) { _, _, output, _, _ in
            outputs.withLock { $0.append(output.pointee.videoTime / period) }
            return kCVReturnSuccess
          } == kCVReturnSuccess)
        #expect(CVDisplayLinkStart(link) == kCVReturnSuccess)
        // The first three ticks pass without anything being run.
        clock.skip(by: .milliseconds(60))
        clock.advance(by: .milliseconds(40))
        #expect(outputs.withLock { $0 } == [4, 5, 6, 7])
      }
    }

    @Test
    func `a display link says what is missing, and that it runs or does not`() throws {
      try withLink { clock, link in
        var stamp = CVTimeStamp()
        #expect(CVDisplayLinkStart(link) == kCVReturnDisplayLinkCallbacksNotSet)
        #expect(CVDisplayLinkStop(link) == kCVReturnDisplayLinkNotRunning)
        #expect(CVDisplayLinkGetCurrentTime(link, &stamp) == kCVReturnDisplayLinkNotRunning)
        _ = CVDisplayLinkSetOutputHandler(link) { _, _, _, _, _ in kCVReturnSuccess }
        #expect(CVDisplayLinkStart(link) == kCVReturnSuccess)
        #expect(CVDisplayLinkStart(link) == kCVReturnDisplayLinkAlreadyRunning)
        clock.advance(by: .milliseconds(500))
        #expect(CVDisplayLinkGetCurrentTime(link, &stamp) == kCVReturnSuccess)
        #expect(stamp.videoTime == 30 * CVDisplayLinkGetNominalOutputVideoRefreshPeriod(link).timeValue)
      }
    }
  }
}
