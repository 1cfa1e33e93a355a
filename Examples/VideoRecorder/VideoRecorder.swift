import AVFoundation

/// A camera that records movies with sound into a folder, lists them with a picture of each, and deletes them.
final class VideoRecorder: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
  // Safe because what changes is used under `lock` only.
  private let session = AVCaptureSession()
  private let output = AVCaptureMovieFileOutput()
  private let folder: URL
  private let lock = NSLock()
  private var finished: CheckedContinuation<URL, any Error>?

  init(folder: URL) throws {
    self.folder = folder
    super.init()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    session.beginConfiguration()
    session.sessionPreset = .high
    for type in [AVMediaType.video, .audio] {
      guard let device = AVCaptureDevice.default(for: type) else { continue }
      let input = try AVCaptureDeviceInput(device: device)
      if session.canAddInput(input) { session.addInput(input) }
    }
    if session.canAddOutput(output) { session.addOutput(output) }
    session.commitConfiguration()
  }

  func start() { session.startRunning() }

  func stop() { session.stopRunning() }

  /// Records for so many seconds; the movie is whole when this returns.
  func record(seconds: Double) async throws -> URL {
    let url = folder.appendingPathComponent("\(UUID().uuidString).mov")
    output.maxRecordedDuration = CMTime(seconds: seconds, preferredTimescale: 600)
    return try await withCheckedThrowingContinuation { continuation in
      lock.withLock { finished = continuation }
      output.startRecording(to: url, recordingDelegate: self)
    }
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {
    let continuation = lock.withLock {
      defer { finished = nil }
      return finished
    }
    // A limit that was reached, or a camera that was pulled out, leaves a movie all the same.
    let isWhole =
      (error as? NSError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
    if let error, !isWhole {
      continuation?.resume(throwing: error)
    } else {
      continuation?.resume(returning: outputFileURL)
    }
  }

  /// The movies, by name.
  func movies() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "mov" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The picture in the middle of a movie, the right way up.
  func thumbnail(of movie: URL) async throws -> CGImage {
    let asset = AVURLAsset(url: movie)
    let generator = AVAssetImageGenerator(asset: asset)
    generator.appliesPreferredTrackTransform = true
    generator.maximumSize = CGSize(width: 320, height: 320)
    let duration = try await asset.load(.duration)
    return try await generator.image(at: CMTime(seconds: duration.seconds / 2, preferredTimescale: 600)).image
  }

  func delete(_ movie: URL) throws {
    try FileManager.default.removeItem(at: movie)
  }
}
