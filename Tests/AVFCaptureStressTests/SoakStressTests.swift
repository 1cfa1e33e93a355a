import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// `OBSCURA_STRESS=1 swift test -c release --filter Stress` runs ten minutes of it on the manual clock, and
  /// `OBSCURA_STRESS=real` also in real time.
  @Suite("Stress: soak")
  struct SoakStressTests {
    @Test func `a 1080p preview with a photo each second goes on and on without growing`() throws {
      let clock = SimulatedClock()
      let soak = try Soak(clock)
      let seconds = StressCounts.count(600, small: 4)
      let warmUp = StressCounts.count(20, small: 2)
      func second() {
        for _ in 0..<30 { clock.advance(by: .nanoseconds(33_333_334)) }
        soak.press()
      }
      for _ in 0..<warmUp { second() }
      let before = ProcessFigures.now
      for _ in 0..<seconds { second() }
      clock.advance(by: .seconds(1))
      soak.check(seconds: seconds + warmUp, before)
    }

    @Test(.enabled(if: StressCounts.isInRealTime))
    func `a 1080p preview with a photo each second goes on for ten minutes of real time`() throws {
      let soak = try Soak(.real)
      for _ in 0..<20 {
        pause(seconds: 1, because: "the soak is in real time")
        soak.press()
      }
      let before = ProcessFigures.now
      for _ in 0..<600 {
        pause(seconds: 1, because: "the soak is in real time")
        soak.press()
      }
      soak.check(seconds: 620, before)
    }
  }
}

/// A session with a preview, a video data output and a photo output.
private final class Soak {
  private let provider: SimulatedDeviceProvider
  private let session = AVCaptureSession()
  private let layer: AVCaptureVideoPreviewLayer
  private let video = AVCaptureVideoDataOutput()
  private let counter = FrameCounter()
  private let photo = AVCapturePhotoOutput()
  private let tally = PhotoTally()
  private var pressed: [Int64] = []

  init(_ clock: SimulatedClock) throws {
    var scene = Scene(
      isStamped: false, isNoisy: false, faults: [],
      devices: [
        .camera(uniqueID: "soak.back", name: "Soak", sizes: [FrameSize(width: 1920, height: 1080)])
      ])
    scene.isStill = true
    provider = SimulatedDevices.install(scene: scene, clock: clock, access: .granted)
    let camera = try #require(AVCaptureDevice(uniqueID: "soak.back"))
    session.addInput(try AVCaptureDeviceInput(device: camera))
    counter.watch(video)
    session.addOutput(video)
    session.addOutput(photo)
    layer = AVCaptureVideoPreviewLayer(session: session)
    layer.frames.setFrameHandler { [weak frames = layer.frames] in _ = frames?.takeNewest() }
    session.startRunning()
    try #require(session.isRunning)
  }

  func press() {
    let settings = AVCapturePhotoSettings()
    pressed.append(settings.uniqueID)
    photo.capturePhoto(with: settings, delegate: tally)
  }

  func check(seconds: Int, _ before: ProcessFigures) {
    #expect(tally.waitForAll(pressed), "\(tally.missing(pressed)) photos have not ended")
    #expect(session.isRunning)
    session.stopRunning()
    counter.queue.sync {}
    let after =
      StressCounts.isFull
      ? ProcessFigures.settled(toThreads: before.threads, descriptors: before.descriptors) : .now
    print(
      "stress: \(seconds) s of preview, \(counter.frames) frames, \(tally.succeeded) of \(pressed.count) photos, "
        + "before \(before), after \(after)")
    #expect(tally.twice.isEmpty)
    #expect(tally.succeeded == pressed.count)
    #expect(counter.frames + counter.drops >= seconds * 29)
    // In a run of the whole suite the threads and files of other tests come and go beside these.
    if StressCounts.isFull {
      #expect(after.threads <= before.threads + 1)
      #expect(after.descriptors <= before.descriptors)
      #expect(!after.hasGrown(since: before, byMoreThan: 20_000))
    }
  }
}
