import AVFoundation
import CPeers
import Foundation
import SimulatedDevices

/// Measures the search for codes and faces in a live 1080p stream at 30/s: its processor time, its delay and lost frames.
///
/// The session is what clients build: a simulated camera on the machine's clock, a video data output whose delegate does
/// nothing, and a metadata output. What decoding costs is the process's CPU time less that with a region outside of it,
/// in turn: waking up for a frame is no part of it.
enum ScanBenchmark {
  static func run() throws -> [Figure] {
    try search("", of: Scene.blank.background) + search("-in-noise", of: SceneBackground(.picture(noise())))
      + [delay(), lost()].compactMap { $0 }
  }

  /// The cost of a search in the whole picture and in 0.7 × 0.5 of it, each as a ratio to ZXing's own search of the frame.
  ///
  /// No code is in view, as mostly. The frames are painted beforehand: painting takes ten times as long as looking for codes.
  private static func search(_ suffix: String, of background: SceneBackground) throws -> [Figure] {
    var scene = Scene.blank
    scene.background = background
    let watch = try Watch(scene)
    let outside = CGRect(x: 2, y: 2, width: 1, height: 1)
    let parts = [
      ("scan.whole", CGRect(x: 0, y: 0, width: 1, height: 1)),
      ("scan.region", CGRect(x: 0.15, y: 0.25, width: 0.7, height: 0.5)),
    ]
    var ratios = [[Double]](repeating: [], count: parts.count)
    var ours = [Double](repeating: 0, count: parts.count)
    var theirs = 0.0
    for round in 0..<6 {
      let idle = try watch.cpuSecondsPerFrame(types: [.qr], in: outside)
      theirs = try watch.cpuSecondsOfPeer()
      for (index, part) in parts.enumerated() {
        ours[index] = try watch.cpuSecondsPerFrame(types: [.qr, .ean13, .code128], in: part.1) - idle
        // The first round is for loading.
        if round > 0 { ratios[index].append(ours[index] / theirs) }
      }
    }
    return parts.indices.map { index in
      Figure(
        name: parts[index].0 + suffix, value: ratios[index].median,
        detail: String(format: "%.2f ms CPU a frame, ZXing %.2f ms", ours[index] * 1000, theirs * 1000))
    }
  }

  /// A grey wall through a sensor that deviates by ten levels.
  private static func noise() throws -> ScenePicture {
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    var rgba = [UInt8](repeating: 255, count: 1920 * 1080 * 4)
    for pixel in stride(from: 0, to: rgba.count, by: 4) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The sum of four even spreads is near enough to a bell, and deviates by 148.
      let sum = [24, 32, 40, 48].reduce(0) { $0 + Int((state >> UInt64($1)) & 0xFF) }
      let level = UInt8(150 + (sum - 510) * 10 / 148)
      (rgba[pixel], rgba[pixel + 1], rgba[pixel + 2]) = (level, level, level)
    }
    return try ScenePicture(width: 1920, height: 1080, rgba: rgba)
  }

  /// From the first frame that shows a code to the delegate's call, in frame intervals; the worst of some.
  private static func delay() throws -> Figure {
    var worst = 0.0
    for _ in 0..<5 {
      var code = SceneLayer(try .qrCode("first in view"), width: 0.12)
      code.from = 1
      let watch = try Watch(layers: [code])
      worst = max(worst, try watch.intervalsToFirstNews(shownFrom: code.from))
    }
    return Figure(
      name: "scan.delay", value: worst, detail: "frame intervals to the delegate's call, the worst of five")
  }

  /// Frames lost by the video data output, and not searched, while a face and a code are in view; `nil` without models.
  private static func lost() throws -> Figure? {
    let watch = try Watch(layers: [
      SceneLayer(
        .picture(ScenePicture(photograph())), center: CGPoint(x: 0.2, y: 0.5), width: 0.4,
        velocity: CGPoint(x: 0.05, y: 0)),
      SceneLayer(try .qrCode("beside"), center: CGPoint(x: 0.85, y: 0.2), width: 0.12),
    ])
    guard watch.finds(.face) else {
      print("skip scan.lost: there are no models of faces here; run scripts/setup --models")
      return nil
    }
    let all = CGRect(x: 0, y: 0, width: 1, height: 1)
    let idle = try watch.cpuSecondsPerFrame(types: [], in: all)
    let codes = try watch.cpuSecondsPerFrame(types: [.qr], in: all) - idle
    let faces = try watch.cpuSecondsPerFrame(types: [.face], in: all) - idle
    let lost = try watch.framesLost(types: [.face, .qr], frames: 300)
    return Figure(
      name: "scan.lost", value: Double(lost.dropped + lost.unsearched),
      detail: String(
        format: "%d dropped, %d not searched; CPU a frame: codes %.1f ms, faces %.1f ms, all else %.1f ms",
        lost.dropped, lost.unsearched, codes * 1000, faces * 1000, idle * 1000))
  }
}

/// A session with a 1080p camera, a data output and a metadata output.
private final class Watch: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable
{
  // Safe because everything that changes is under `lock`.
  private struct News {
    var times: [CMTime] = []
    /// CPU seconds of the process when each frame came.
    var spent: [Double] = []
    var newest: CVPixelBuffer?
    var dropped = 0
    var reported: [(time: CMTime, at: CMTime)] = []
    var faces: Set<Int> = []
  }

  private let session = AVCaptureSession()
  private let metadata = AVCaptureMetadataOutput()
  private let lock = NSLock()
  private var news = News()

  /// Layers before a wall that is no farther away: a lens that has to find its focus first is no part of this.
  convenience init(layers: [SceneLayer]) throws {
    try self.init(
      Scene(isStamped: false, isNoisy: false, background: SceneBackground(depth: 1), layers: layers))
  }

  init(_ scene: Scene) throws {
    super.init()
    SimulatedDevices.install(scene: scene, clock: .real)
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
      throw BenchmarkError("The simulated device is missing.")
    }
    let frames = AVCaptureVideoDataOutput()
    frames.setSampleBufferDelegate(self, queue: DispatchQueue(label: "benchmark.frames"))
    metadata.setMetadataObjectsDelegate(self, queue: DispatchQueue(label: "benchmark.metadata"))
    session.beginConfiguration()
    session.sessionPreset = .hd1920x1080
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(frames)
    session.addOutput(metadata)
    session.commitConfiguration()
  }

  func finds(_ type: AVMetadataObject.ObjectType) -> Bool {
    metadata.availableMetadataObjectTypes.contains(type)
  }

  /// CPU seconds of the process from one frame to the next, the median of 90 from the thirtieth on.
  ///
  /// So without the harder passes, of which there is one in some tens of frames: they take a fifth of the light ones' time, whatever
  /// the part. Of a region also without the one frame in six that is searched whole.
  func cpuSecondsPerFrame(types: [AVMetadataObject.ObjectType], in part: CGRect) throws -> Double {
    metadata.metadataObjectTypes = types
    metadata.rectOfInterest = part
    begin()
    session.startRunning()
    defer { session.stopRunning() }
    try wait(frames: 30)
    begin()
    try wait(frames: 91)
    let spent = lock.withLock { news.spent }
    return zip(spent.dropFirst(), spent).map { $0 - $1 }.median
  }

  /// CPU seconds of ZXing's search of the newest frame's luma, the median of nine.
  func cpuSecondsOfPeer() throws -> Double {
    guard let frame = lock.withLock({ news.newest }) else { throw BenchmarkError("There is no frame yet.") }
    CVPixelBufferLockBaseAddress(frame, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(frame, 0) else {
      throw BenchmarkError("The frame has no plane of luma.")
    }
    return try (0..<9).map { _ in
      let before = cpuSeconds()
      let count = peer_zxing_count(
        base.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRowOfPlane(frame, 0),
        Int32(CVPixelBufferGetWidthOfPlane(frame, 0)), Int32(CVPixelBufferGetHeightOfPlane(frame, 0)))
      guard count == 0 else { throw BenchmarkError("ZXing reads \(count) codes where none is in view.") }
      return cpuSeconds() - before
    }.median
  }

  /// Frame intervals from the first frame `seconds` after the first of all to the first news.
  func intervalsToFirstNews(shownFrom seconds: Double) throws -> Double {
    metadata.metadataObjectTypes = [.qr]
    begin()
    session.startRunning()
    defer { session.stopRunning() }
    try wait(frames: Int(seconds * 30) + 30)
    let news = lock.withLock { self.news }
    guard let first = news.times.first, let reported = news.reported.first,
      let shown = news.times.first(where: { ($0 - first).seconds >= seconds - 0.001 })
    else { throw BenchmarkError("The code was not read within a second.") }
    return (reported.at - shown).seconds * 30
  }

  func framesLost(types: [AVMetadataObject.ObjectType], frames: Int) throws -> (
    dropped: Int, unsearched: Int, faces: Int
  ) {
    metadata.metadataObjectTypes = types
    begin()
    session.startRunning()
    defer { session.stopRunning() }
    // The first second is for loading.
    try wait(frames: 30)
    begin()
    try wait(frames: frames + 2)
    let news = lock.withLock { self.news }
    let searched = Set(news.reported.map(\.time.value))
    return (
      news.dropped, news.times.prefix(frames).count { !searched.contains($0.value) }, news.faces.count
    )
  }

  private var count: Int { lock.withLock { news.times.count } }

  private func begin() {
    lock.withLock { news = News() }
  }

  private func wait(frames: Int) throws {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(frames) * 33_333_333 + 5_000_000_000
    let goal = lock.withLock { news.times.count } + frames
    while count < goal {
      guard DispatchTime.now().uptimeNanoseconds < end else {
        throw BenchmarkError(
          "The simulated camera delivered \(count) frames where \(goal) were due; its session is "
            + (session.isRunning ? "running." : "not running."))
      }
      usleep(2000)
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    let spent = cpuSeconds()
    lock.withLock {
      news.times.append(sampleBuffer.presentationTimeStamp)
      news.spent.append(spent)
      news.newest = sampleBuffer.imageBuffer
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    lock.withLock { news.dropped += 1 }
  }

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    guard let time = metadataObjects.first?.time else { return }
    lock.withLock {
      news.reported.append((time, now))
      news.faces.formUnion(metadataObjects.compactMap { ($0 as? AVMetadataFaceObject)?.faceID })
    }
  }
}
