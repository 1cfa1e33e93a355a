internal import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation
internal import Linux
internal import PhotoProcessing
internal import SimulatedDevices

/// Measures what each quality of photos gives and takes, with the real stages: 12 megapixels of a still scene in the light of a candle.
struct QualityMeasurement: Encodable, Sendable {
  /// The figures of one quality.
  struct Level: Encodable, Sendable {
    var quality: String
    /// The frames that one photo was made of.
    var frames: Int
    /// The root of the mean square error of the luma against the scene without noise, in levels of 255.
    var error: Double
    /// How much nearer to the truth than `speed`, in decibels.
    var gain: Double
    /// The steepness of the scene's edges beside the truth's; 1 is the same.
    var edges: Double
    /// From press to photo, median.
    var seconds: Double
  }

  /// The figures of twenty presses of `quality`, each as soon as the output is ready, with fast-capture prioritization.
  struct Series: Encodable, Sendable {
    /// The number of photos whose quality was lowered.
    var lowered: Int
    /// From one finished photo to the next, mean of the second ten.
    var shotToShotSeconds: Double
    /// The mean of their slowest stages.
    var slowestStageSeconds: Double
  }

  /// The numbers of photos in three seconds, each pressed as soon as the output is ready.
  struct Rate: Encodable, Sendable {
    var oneByOne: Int
    var overlapping: Int
    var deferred: Int
  }

  var schema = "obscura.bench.quality"
  var version = 1
  /// The peak memory of fusing eight frames, divided by the frames' own.
  var fusionMemory: Double
  var levels: [Level]
  var deferral: DeferralGain
  var fastCapture: Series
  var photosInThreeSeconds: Rate

  /// Takes about a minute.
  /// - Throws: ``CommandError`` when a photo fails.
  init() throws {
    // Before anything else has left memory behind.
    fusionMemory = try FusionMemory.ratio()
    let truth = try Self.photo(of: .speed, isNoisy: false)
    levels = try Self.measureLevels(against: LumaPicture(truth))
    guard let pixels = truth.pixelBuffer else {
      throw CommandError(.otherFailure, "The photo has no pixels.")
    }
    deferral = try DeferralGain(against: pixels) { try Self.run($0) }
    fastCapture = try Self.measureFastCapture()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
    defer { Disk.removeAll(folder.path) }
    photosInThreeSeconds = try Rate(
      oneByOne: Self.rate { _ in },
      overlapping: Self.rate { $0.isResponsiveCaptureEnabled = true },
      deferred: Self.rate(isDeferred: true) { output in
        output.isResponsiveCaptureEnabled = true
        output.isAutoDeferredPhotoDeliveryEnabled = true
        output.deferredPhotos.withLock { $0 = DeferredPhotoStore(folder: folder.path) }
      })
  }

  var text: String {
    let lines = levels.map {
      String(
        format: "%@: %d frames, error %.2f levels (%+.1f dB), edges %.2f, %.0f ms from press to photo",
        $0.quality,
        $0.frames, $0.error, $0.gain, $0.edges, $0.seconds * 1000)
    }
    let rate = photosInThreeSeconds
    func line(_ place: String, _ errors: DeferralGain.Errors) -> String {
      String(
        format: "deferred, at %@: proxy's error %.2f levels, final's %.2f (%+.1f dB)", place, errors.proxy,
        errors.final, errors.gain)
    }
    return
      (lines + [
        line("the final's size", deferral.atFullSize), line("the proxy's size", deferral.atProxySize),
        String(format: "fusing eight frames: memory %.2f of the frames' own at most", fusionMemory),
        String(
          format: "fast capture: %d of 20 lowered, %.0f ms from photo to photo, the slowest stage %.0f ms",
          fastCapture.lowered, fastCapture.shotToShotSeconds * 1000, fastCapture.slowestStageSeconds * 1000),
        "photos of quality in three seconds: \(rate.oneByOne) one by one, \(rate.overlapping) overlapping, \(rate.deferred) deferred",
      ]).joined(separator: "\n")
  }

  // MARK: Levels

  /// What the main camera sees of the built-in scene in the light of a candle, but what moves.
  private static func scene(isNoisy: Bool = true) -> Scene {
    var scene = Scene.builtIn
    // The two that swing, and the visitor before the front cameras.
    scene.layers.removeLast(3)
    scene.isStamped = false
    scene.isNoisy = isNoisy
    scene.lux = 2
    return scene
  }

  private static func run(isNoisy: Bool = true, _ configure: (AVCapturePhotoOutput) -> Void = { _ in }) throws
    -> PhotoRun
  {
    try PhotoRun(scene(isNoisy: isNoisy), camera: "simulated.back.wide") { output in
      output.maxPhotoDimensions = CMVideoDimensions(width: 4032, height: 3024)
      configure(output)
    }
  }

  private static var pixels: [String: Any] {
    [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
  }

  private static func measureLevels(against truth: LumaPicture) throws -> [Level] {
    let run = try Self.run()
    defer { run.stop() }
    var count = 0
    var levels: [Level] = []
    for quality in [AVCapturePhotoOutput.QualityPrioritization.speed, .balanced, .quality] {
      var seconds: [Double] = []
      var newest: AVCapturePhoto?
      for _ in 0..<3 {
        run.waitUntilReady()
        let pressed = MonotonicInstant.now
        run.press(quality, format: pixels)
        count += 1
        newest = try run.photos(count).last
        seconds.append(Double(MonotonicInstant.now.nanoseconds - pressed.nanoseconds) / 1e9)
      }
      guard let newest else { continue }
      let picture = try LumaPicture(newest)
      let error = picture.error(against: truth)
      levels.append(
        Level(
          quality: String(describing: quality), frames: frames(of: newest), error: error,
          gain: 20 * log10((levels.first?.error ?? error) / error), edges: picture.edges(beside: truth),
          seconds: seconds.sorted()[1]))
    }
    return levels
  }

  private static func photo(
    of quality: AVCapturePhotoOutput.QualityPrioritization, isNoisy: Bool
  ) throws -> AVCapturePhoto {
    let run = try Self.run(isNoisy: isNoisy)
    defer { run.stop() }
    run.press(quality, format: pixels)
    return try run.photos(1)[0]
  }

  private static func frames(of photo: AVCapturePhoto) -> Int {
    let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
    let counts = exif?[kCGImagePropertyExifSourceImageNumberOfCompositeImage as String] as? [Int]
    return counts?.last ?? 1
  }

  // MARK: Photos in a row

  private static func measureFastCapture() throws -> Series {
    let run = try Self.run {
      $0.isResponsiveCaptureEnabled = true
      $0.isFastCapturePrioritizationEnabled = true
    }
    defer { run.stop() }
    for _ in 0..<20 {
      run.waitUntilReady()
      run.press(.quality)
    }
    let photos = try run.photos(20)
    let last = photos.suffix(11).compactMap { $0.stages?.encoded?.nanoseconds }
    let slowest = photos.suffix(10).compactMap(\.stages).map { stages in
      Double(max(stages.work.developing, stages.work.encoding)) / 1e9
    }
    return Series(
      lowered: photos.count { $0.resolvedSettings.isFastCapturePrioritizationEnabled },
      shotToShotSeconds: Double((last.last ?? 0) - (last.first ?? 0)) / 1e9 / 10,
      slowestStageSeconds: slowest.reduce(0, +) / Double(max(slowest.count, 1)))
  }

  private static func rate(isDeferred: Bool = false, _ configure: (AVCapturePhotoOutput) -> Void) throws
    -> Int
  {
    let run = try Self.run(configure)
    defer { run.stop() }
    let end = MonotonicInstant.now.advanced(byNanoseconds: 3_000_000_000)
    var count = 0
    while MonotonicInstant.now < end {
      run.waitUntilReady()
      run.press(.quality)
      count += 1
    }
    // Each press is a photo, or its proxy.
    _ = try isDeferred ? run.proxies(count).count : run.photos(count).count
    return count
  }
}
