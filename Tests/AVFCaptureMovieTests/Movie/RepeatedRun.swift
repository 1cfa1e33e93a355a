import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import Photos
import SimulatedDevices
import Testing
import Waiting

/// The news of each source, in order, with the moment of the clock.
private final class RunLog: Sendable {
  private let lists = Locked<[String: [String]]>([:])
  private let clock: SimulatedClock
  private let start: MonotonicInstant

  init(_ clock: SimulatedClock) {
    self.clock = clock
    start = clock.now
  }

  func note(_ source: String, _ what: String) {
    let moment = (clock.now.nanoseconds - start.nanoseconds) / 1000
    lists.withLock { $0[source, default: []].append("\(moment) µs: \(what)") }
  }

  var all: [String: [String]] { lists.withLock { $0 } }
}

/// Notes each frame and each code.
private final class RunDelegate: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureMetadataOutputObjectsDelegate, Sendable
{
  private let log: RunLog
  init(_ log: RunLog) { self.log = log }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) { log.note("frames", "\(CMSampleBufferGetPresentationTimeStamp(sampleBuffer).value)") }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) { log.note("frames", "dropped") }

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    let codes = metadataObjects.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }
    log.note("codes", codes.joined(separator: ", "))
  }
}

/// Notes what each change adds to the library's assets and to its albums.
private final class RunLibrary: PHPhotoLibraryChangeObserver, Sendable {
  private let log: RunLog
  private let seen = Locked(
    (
      assets: PHAsset.fetchAssets(with: nil),
      albums: PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
    ))

  init(_ log: RunLog) { self.log = log }

  func photoLibraryDidChange(_ change: PHChange) {
    let (assets, albums) = seen.withLock { seen in
      let changed = (change.changeDetails(for: seen.assets), change.changeDetails(for: seen.albums))
      if let assets = changed.0 { seen.assets = assets.fetchResultAfterChanges }
      if let albums = changed.1 { seen.albums = albums.fetchResultAfterChanges }
      return (changed.0?.insertedObjects ?? [], changed.1?.insertedObjects ?? [])
    }
    let dates = assets.map { "\($0.creationDate?.timeIntervalSinceReferenceDate ?? -1)" }
    log.note("library", "changed: \(dates), \(albums.map { $0.localizedTitle ?? "" })")
  }

  func keep(_ body: @escaping @Sendable () -> Void) {
    PHPhotoLibrary.shared().performChanges(body) { [log] isDone, error in
      log.note("library", isDone ? "done" : "\(error as Any)")
    }
  }
}

/// The news and the files of a run.
struct RunOutcome: Equatable {
  var news: [String: [String]] = [:]
  var files: [Data] = []
}

/// Runs that a seed repeats; they install the process's devices and name its library, so each test of them is a process.
enum RepeatedRun {
  /// Two photos, a recording, codes, an interruption, an unplug and a replug, and two changes of the library.
  static func run(seed: UInt64) throws -> RunOutcome {
    let clock = SimulatedClock(seed: seed)
    let code = SceneLayer(try .code(.qr, "again"), center: CGPoint(x: 0.5, y: 0.5), width: 0.3)
    var scene = Scene(isNoisy: false, layers: [code])
    scene.devices = [MovieStage.back, .stageMicrophone]
    scene.faults = [
      SceneFault(.privacy(seconds: 0.4), at: 0.8, device: "movie.back"),
      SceneFault(.unplug, at: 1.6, device: "movie.back"),
      SceneFault(.plug, at: 2, device: "movie.back"),
    ]
    SimulatedDevices.install(scene: scene, clock: clock)
    defer { SimulatedDevices.uninstall() }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("again-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    setenv("OBSCURA_LIBRARY", folder.appendingPathComponent("library").path, 1)
    // Each run's library is a new one.
    SharedLibrary.use(nil)

    let (log, session) = (RunLog(clock), AVCaptureSession())
    let library = RunLibrary(log)
    PHPhotoLibrary.shared().register(library)
    defer { PHPhotoLibrary.shared().unregisterChangeObserver(library) }
    let (delegate, queue) = (RunDelegate(log), DispatchQueue(label: "again"))
    let (video, codes) = (AVCaptureVideoDataOutput(), AVCaptureMetadataOutput())
    let (photos, movie) = (AVCapturePhotoOutput(), AVCaptureMovieFileOutput())
    video.setSampleBufferDelegate(delegate, queue: queue)
    codes.setMetadataObjectsDelegate(delegate, queue: DispatchQueue(label: "again.codes"))
    let tokens = watch(session, log)
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    let isRunning = session.observe(\.isRunning, options: .new) { _, change in
      log.note("isRunning", "\(change.newValue ?? false)")
    }
    defer { isRunning.invalidate() }
    func addCamera() throws {
      let device = try #require(AVCaptureDevice(uniqueID: "movie.back"))
      session.addInput(try AVCaptureDeviceInput(device: device))
    }
    try addCamera()
    session.addInput(
      try AVCaptureDeviceInput(device: try #require(AVCaptureDevice(uniqueID: "stage.microphone"))))
    for output in [video, codes, photos, movie] as [AVCaptureOutput] { session.addOutput(output) }
    codes.metadataObjectTypes = [.qr]
    session.startRunning()

    let (pictures, recordings) = (RecordingPhotoDelegate(), RecordingLog())
    pictures.inside.set {
      log.note("photo", "\(pictures.steps.withLock { $0.count })")
      guard case .processed? = pictures.steps.withLock({ $0.last }),
        let photo = pictures.photos.withLock({ $0.last })
      else { return }
      let file = photo.fileDataRepresentation() ?? Data()
      library.keep { PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil) }
    }
    recordings.inside.set { log.note("recording", $0) }
    clock.advance(by: .milliseconds(100))
    movie.startRecording(to: folder.appendingPathComponent("a.mov"), recordingDelegate: recordings)
    clock.advance(by: .milliseconds(200))
    photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: pictures)
    clock.advance(by: .milliseconds(400))
    movie.stopRecording()
    // The shutter closes and opens, and the plug is pulled.
    clock.advance(by: .milliseconds(1100))
    let film = folder.appendingPathComponent("a.mov")
    library.keep {
      let request = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film)
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Again")
      if let asset = request?.placeholderForCreatedAsset { album.addAssets([asset]) }
    }
    // The session has lost its input; the camera is there again.
    clock.advance(by: .milliseconds(300))
    session.beginConfiguration()
    for input in session.inputs where (input as? AVCaptureDeviceInput)?.device.uniqueID == "movie.back" {
      session.removeInput(input)
    }
    try addCamera()
    session.commitConfiguration()
    session.startRunning()
    clock.advance(by: .milliseconds(200))
    photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: pictures)
    try clock.advance { pictures.finishedCount.now == 2 && recordings.all.contains("finished a.mov") }
    session.stopRunning()
    clock.settle()

    var outcome = RunOutcome(news: log.all)
    outcome.files = pictures.photos.withLock { $0 }.compactMap { $0.fileDataRepresentation() }
    outcome.files.append(try Data(contentsOf: film))
    let kept = try SharedLibrary.store().place.pictures
    let names = try FileManager.default.subpathsOfDirectory(atPath: kept).filter { path in
      MediaFacts.isMedia(named: path) && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted()
    outcome.news["library's files"] = names
    outcome.files += try names.map { try Data(contentsOf: URL(fileURLWithPath: "\(kept)/\($0)")) }
    return outcome
  }

  private static func watch(_ session: AVCaptureSession, _ log: RunLog) -> [any NSObjectProtocol] {
    [
      (AVCaptureSession.didStartRunningNotification, "started"),
      (AVCaptureSession.didStopRunningNotification, "stopped"),
      (AVCaptureSession.runtimeErrorNotification, "error"),
      (AVCaptureSession.wasInterruptedNotification, "interrupted"),
      (AVCaptureSession.interruptionEndedNotification, "interruption ended"),
    ].map { name, word in
      NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { _ in
        log.note("session", word)
      }
    }
  }
}
