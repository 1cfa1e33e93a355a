import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import Testing
import Waiting

/// Sessions on vivid, the kernel's driver that makes faults on demand; the streams below them are in LabTests+Faults.
extension DeviceSuites.SessionLabTests {
  /// A session on `/dev/video0` that films and takes photos of what is exposed after the press.
  private final class Stage {
    let camera: AVCaptureDevice
    let session = AVCaptureSession()
    let news: SessionNews
    let counter = FrameCounter()
    let photos = AVCapturePhotoOutput()

    init() throws {
      try Stage.reset()
      CaptureDeviceProviders.install(nil)
      camera = try #require(AVCaptureDevice(uniqueID: "platform:vivid-000"))
      news = SessionNews(session)
      session.sessionPreset = .low
      session.addInput(try AVCaptureDeviceInput(device: camera))
      let output = AVCaptureVideoDataOutput()
      counter.watch(output)
      session.addOutput(output)
      session.addOutput(photos)
      photos.isZeroShutterLagEnabled = false
    }

    deinit {
      session.stopRunning()
      try? Stage.reset()
    }

    static func set(_ controls: String) throws {
      _ = try DeviceSuites.SessionLabTests.firstLine("v4l2-ctl -d /dev/video0 -c \(controls) && echo set")
    }

    static func reset() throws {
      try set("test_pattern=1,osd_text_mode=2,percentage_of_dropped_buffers=0")
      try set("wrap_sequence_number=0,wrap_timestamp=0")
    }

    /// Starts, once the driver lets, and films.
    func run() throws {
      let before = counter.frames
      try #require(
        outside("a driver does not say when it can be opened again") {
          session.startRunning()
          return session.isRunning
        }, "\(news.all)")
      try #require(counter.wait(for: before + 3), "\(news.all)")
    }

    func press() -> RecordingPhotoDelegate {
      let delegate = RecordingPhotoDelegate()
      photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
      return delegate
    }
  }

  private static let second: Int64 = 1_000_000_000

  /// The causes that end a stream, and the errors that its session then reports.
  static let endings: [(fault: String, code: AVError.Code)] = [
    ("disconnect=1", .deviceWasDisconnected), ("percentage_of_dropped_buffers=100", .noDataCaptured),
    ("inject_fatal_streaming_error=1", .unknown),
  ]

  @Test(arguments: endings)
  func
    `a driver's fault ends the session and its photo within a second, and the next start brings frames again`(
      _ fault: String, _ code: AVError.Code
    ) throws
  {
    let stage = try Stage()
    try stage.run()
    for isTakingPhoto in [false, true] {
      let errors = stage.news.all.count { $0 == "error" }
      let stops = stage.news.all.count { $0 == "isRunning false" }
      // The photo's frame is kept back, so that the fault comes while it is waited for.
      let photo: RecordingPhotoDelegate?
      if isTakingPhoto {
        try Stage.set("percentage_of_dropped_buffers=100")
        photo = stage.press()
      } else {
        photo = nil
      }
      try Stage.set(fault)
      let began = MonotonicInstant.now
      #expect(stage.news.wait(for: "error", count: errors + 1))
      #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < Self.second)
      #expect(stage.news.wait(for: "isRunning false", count: stops + 1))
      // A photo that waits for its frame may see the silence before the fault.
      let isSilence = isTakingPhoto && stage.news.lastError?.code == .noDataCaptured
      #expect(isSilence || stage.news.lastError?.code == code, "\(fault): \(stage.news.all)")
      if let photo {
        #expect(photo.wait())
        #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < Self.second)
        let steps = photo.steps.withLock { $0 }
        let ends = steps.filter { if case .finished = $0 { true } else { false } }
        #expect(ends.count == 1 && photo.errors.withLock { $0.count } == 1, "\(steps)")
      }
      let stopping = MonotonicInstant.now
      stage.session.stopRunning()
      #expect(MonotonicInstant.now.nanoseconds - stopping.nanoseconds < Self.second)
      // The driver comes back when no program has it open any more.
      #expect(outside("a driver does not say when it is back") { (try? Stage.reset()) != nil })
      try stage.run()
      let next = stage.press()
      #expect(next.wait() && next.errors.withLock { $0.isEmpty })
    }
  }

  @Test(arguments: [
    "inject_vidioc_reqbufs_error=1", "inject_vidioc_qbuf_error=1", "inject_vidioc_streamon_error=1",
  ])
  func
    `a start that the driver refuses is the session's error within a second, and the next one brings frames`(
      _ fault: String
    ) throws
  {
    let stage = try Stage()
    try Stage.set(fault)
    let began = MonotonicInstant.now
    stage.session.startRunning()
    #expect(!stage.session.isRunning)
    #expect(stage.news.wait(for: "error"))
    #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < Self.second)
    #expect(stage.news.lastError?.device === stage.camera)
    #expect(stage.news.lastError?.localizedDescription.contains("/dev/video0") == true)
    try stage.run()
  }

  @Test(arguments: [
    "inject_vidioc_qbuf_error=1", "inject_v4l2_buf_flag_error=1", "wrap_sequence_number=1",
    "wrap_timestamp=1",
  ])
  func `a fault that costs frames leaves the session running, and photos come`(_ fault: String) throws {
    let stage = try Stage()
    if fault.hasPrefix("wrap") { try Stage.set(fault) }
    try stage.run()
    try Stage.set(fault)
    let before = stage.counter.frames
    #expect(stage.counter.wait(for: before + 5))
    let photo = stage.press()
    #expect(photo.wait() && photo.errors.withLock { $0.isEmpty })
    let times = stage.counter.times
    #expect(times == times.sorted() && Set(times.map(\.value)).count == times.count)
    #expect(stage.session.isRunning && !stage.news.all.contains("error"))
  }

  @Test func `a camera that another program holds interrupts the start, which comes when that has ended`()
    throws
  {
    let stage = try Stage()
    let frames = "/tmp/holder.txt"
    let other = try Self.firstLine(
      "rm -f \(frames); v4l2-ctl -d /dev/video0 --stream-mmap --stream-count 100000 >\(frames) 2>&1 & echo $!"
    )
    // Killed as no signal mask that it may have inherited forbids.
    defer { _ = try? Self.firstLine("kill -9 \(other); echo killed") }
    #expect(
      outside("another program writes into a file") {
        (try? String(contentsOfFile: frames, encoding: .utf8))?.contains("<") == true
      })
    stage.session.startRunning()
    #expect(stage.news.wait(for: "interrupted"))
    #expect(stage.session.isInterrupted && !stage.session.isRunning)
    #expect(stage.news.lastReason == .videoDeviceInUseByAnotherClient)
    let before = stage.counter.frames
    _ = try Self.firstLine("kill -9 \(other); echo killed")
    #expect(stage.news.wait(for: "interruption ended"))
    #expect(stage.counter.wait(for: before + 3))
    #expect(stage.session.isRunning && !stage.session.isInterrupted)
  }

  @Test func `the delegate's pictures lie in the driver's memory`() throws {
    let stage = try Stage()
    let output = AVCaptureVideoDataOutput()
    // The device's own format.
    output.videoSettings = [:]
    let delegate = RecordingVideoDelegate()
    delegate.keepsBuffers.withLock { $0 = false }
    let places = Monitor<[Bool]>([])
    delegate.visit.set { sample in
      guard let pixels = sample.imageBuffer, CVPixelBufferLockBaseAddress(pixels, .readOnly) == 0 else {
        return
      }
      defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
      let first =
        CVPixelBufferIsPlanar(pixels)
        ? CVPixelBufferGetBaseAddressOfPlane(pixels, 0) : CVPixelBufferGetBaseAddress(pixels)
      let address = UInt(bitPattern: first)
      places.withLock { $0.append(Self.driversMemory().contains { $0.contains(address) }) }
    }
    output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "lab"))
    stage.session.addOutput(output)
    try stage.run()
    #expect(places.wait { $0.count >= 10 })
    stage.session.stopRunning()
    #expect(places.withLock { $0.allSatisfy { $0 } }, "\(places.withLock { $0 })")
  }

  /// The addresses of video drivers' memory in this process.
  private static func driversMemory() -> [Range<UInt>] {
    // Foundation reads no more than the first 4 KB of such a file.
    let bytes = (try? InputFile.contents(of: "/proc/self/maps", atMost: 1 << 20)) ?? Data()
    let maps = String(decoding: bytes, as: UTF8.self)
    return maps.split(separator: "\n").filter { $0.contains("/dev/video") }.compactMap { line in
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 ? ends[0]..<ends[1] : nil
    }
  }
}
