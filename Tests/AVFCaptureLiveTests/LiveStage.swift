import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import MovieTools
import PhotoProcessing
import SimulatedDevices
import Testing

/// A session with a small stamped camera, a microphone and a photo output that takes Live Photos, on a manual clock.
///
/// Installs the process's devices: belongs in `DeviceSuites`.
final class LiveStage {
  let clock = SimulatedClock()
  let provider: SimulatedDeviceProvider
  let session = AVCaptureSession()
  let output = AVCapturePhotoOutput()
  let log = LiveLog()
  let folder: URL
  let input: AVCaptureDeviceInput

  static let size = FrameSize(width: 320, height: 240)
  static let camera = SimulatedDeviceModel.camera(uniqueID: "live.back", name: "Back", sizes: [size])
  static let front = SimulatedDeviceModel.camera(
    uniqueID: "live.front", name: "Front", position: .front, sizes: [size])

  init(
    isEnabled: Bool = true, hasMicrophone: Bool = true, trims: Bool = false, isDeferring: Bool = false,
    layers: [SceneLayer] = [], encodings: [FrameEncoding]? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var scene = Scene(isNoisy: false)
    let back = encodings.map {
      SimulatedDeviceModel.camera(uniqueID: "live.back", name: "Back", sizes: [Self.size], encodings: $0)
    }
    scene.devices = [back ?? Self.camera, Self.front, .stageMicrophone]
    scene.layers = layers
    provider = SimulatedDevices.install(scene: scene, clock: clock)
    let camera = try #require(AVCaptureDevice(uniqueID: "live.back"))
    input = try AVCaptureDeviceInput(device: camera)
    session.sessionPreset = .photo
    session.addInput(input)
    if hasMicrophone {
      let microphone = try #require(AVCaptureDevice(uniqueID: "stage.microphone"))
      session.addInput(try AVCaptureDeviceInput(device: microphone))
    }
    let store = DeferredPhotoStore(
      folder: folder.appendingPathComponent("frames").path, byteLimit: 1 << 30)
    output.deferredPhotos.withLock { $0 = store }
    output.maxPhotoQualityPrioritization = .quality
    session.addOutput(output)
    output.isLivePhotoCaptureEnabled = isEnabled
    output.isLivePhotoAutoTrimmingEnabled = trims
    output.isAutoDeferredPhotoDeliveryEnabled = isDeferring
  }

  deinit {
    session.stopRunning()
    SimulatedDevices.uninstall()
    try? FileManager.default.removeItem(at: folder)
  }

  func url(_ name: String = "live.mov") -> URL { folder.appendingPathComponent(name) }

  /// Lets time pass for so many frames at 30 a second.
  func pass(frames: Int) { clock.advance(by: .nanoseconds(Int64(frames) * 1_000_000_000 / 30)) }

  /// Starts the session, and lets so many frames come.
  func start(frames: Int = 60) {
    session.startRunning()
    pass(frames: frames)
  }

  func settings(
    _ name: String = "live.mov", _ codec: AVVideoCodecType = .jpeg
  ) -> AVCapturePhotoSettings {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
    settings.livePhotoMovieFileURL = url(name)
    return settings
  }

  @discardableResult
  func press(_ settings: AVCapturePhotoSettings? = nil) -> Int64 {
    let settings = settings ?? self.settings()
    output.capturePhoto(with: settings, delegate: log)
    return settings.uniqueID
  }

  /// Presses, lets the time of the movie pass, and waits for the photo's last call.
  @discardableResult
  func take(_ settings: AVCapturePhotoSettings? = nil) throws -> LiveLog.Film {
    let count = log.ended.withLock { $0 }
    press(settings)
    pass(frames: 50)
    try #require(log.wait(for: count + 1))
    return try #require(log.films.withLock { $0.last })
  }

  /// The name in a photo's file that its movie has, too.
  static func identifier(inPhoto file: Data?) throws -> String? {
    let bytes = try #require(file)
    let source = try #require(CGImageSourceCreateWithData(bytes, nil))
    let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    return (properties[kCGImagePropertyMakerAppleDictionary] as? [String: Any])?["17"] as? String
  }

  static func identifier(inMovie url: URL) -> String? {
    AVMetadataItem.metadataItems(
      from: AVURLAsset(url: url).metadata, filteredByIdentifier: .quickTimeMetadataContentIdentifier
    ).first?.stringValue
  }

  /// When the movie says that its photo was taken.
  static func stillTime(inMovie url: URL) throws -> Double? {
    let asset = AVURLAsset(url: url)
    guard let track = asset.tracks(withMediaType: .metadata).first else { return nil }
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
    try #require(reader.startReading())
    let group = try #require(adaptor.nextTimedMetadataGroup())
    let item = try #require(group.items.first)
    #expect(item.identifier?.rawValue == "mdta/com.apple.quicktime.still-image-time")
    #expect(item.numberValue?.intValue == -1)
    #expect(adaptor.nextTimedMetadataGroup() == nil)
    return group.timeRange.start.seconds
  }
}

/// Writes down what a Live Photo's delegate hears.
final class LiveLog: AVCapturePhotoCaptureDelegate, Sendable {
  struct Film: Sendable {
    var url: URL
    var duration: Double
    var photo: Double
    var error: AVError?
  }

  let steps = Locked<[String]>([])
  let films = Locked<[Film]>([])
  let photos = Locked<[AVCapturePhoto]>([])
  let proxies = Locked<[AVCaptureDeferredPhotoProxy]>([])
  let errors = Locked<[AVError]>([])
  let sizes = Locked<[CMVideoDimensions]>([])
  let ended = Monitor(0)
  let recorded = Monitor(0)

  /// Waits until so many photos have ended, at most half a minute.
  func wait(for count: Int = 1) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return ended.wait(until: deadline, for: { $0 >= count }, then: { _ in true }) ?? false
  }

  private func note(_ step: String, _ settings: AVCaptureResolvedPhotoSettings) {
    steps.withLock { $0.append("\(step) \(settings.uniqueID)") }
  }

  /// The steps of one photo, in order.
  func steps(of id: Int64) -> [String] {
    steps.withLock { steps in
      steps.filter { $0.hasSuffix(" \(id)") }.map { String($0.prefix { $0 != " " }) }
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    sizes.withLock { $0.append(resolvedSettings.livePhotoMovieDimensions) }
    note("begin", resolvedSettings)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { note("will", resolvedSettings) }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { note("did", resolvedSettings) }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    photos.withLock { $0.append(photo) }
    note(error == nil ? "photo" : "failed", photo.resolvedSettings)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    guard let deferredPhotoProxy else { return }
    proxies.withLock { $0.append(deferredPhotoProxy) }
    note("proxy", deferredPhotoProxy.resolvedSettings)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
    resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    note("recorded", resolvedSettings)
    recorded.withLock { $0 += 1 }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
    duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    films.withLock {
      $0.append(
        Film(
          url: outputFileURL, duration: duration.seconds, photo: photoDisplayTime.seconds,
          error: error as? AVError))
    }
    note(error == nil ? "film" : "lost", resolvedSettings)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    if let error = error as? AVError { errors.withLock { $0.append(error) } }
    note("end", resolvedSettings)
    ended.withLock { $0 += 1 }
  }
}
