package import AVFoundation
package import CaptureDevice
package import CoreMedia
import Foundation
package import Linux
import MovieTools
package import SimulatedDevices
import Testing

/// A session with small stamped cameras, a microphone and a movie file output, on a manual clock.
///
/// Installs the process's devices: belongs in ``DeviceSuites``.
package final class MovieStage {
  package let clock = SimulatedClock()
  package let provider: SimulatedDeviceProvider
  package let session = AVCaptureSession()
  package let output: AVCaptureFileOutput
  package let log = RecordingLog()
  package let folder: URL
  package private(set) var camera: AVCaptureDeviceInput?

  package static let size = FrameSize(width: 320, height: 240)
  package static let back = SimulatedDeviceModel.camera(uniqueID: "movie.back", name: "Back", sizes: [size])
  package static let front = SimulatedDeviceModel.camera(
    uniqueID: "movie.front", name: "Front", position: .front, sizes: [FrameSize(width: 160, height: 120)],
    sensorRotation: 270)

  package init(
    _ output: AVCaptureFileOutput = AVCaptureMovieFileOutput(), scene: Scene = Scene(isNoisy: false),
    devices: [SimulatedDeviceModel] = [back, front], faults: [SceneFault] = [], hasCamera: Bool = true,
    hasMicrophone: Bool = true, preset: AVCaptureSession.Preset = .high, in place: URL? = nil
  ) throws {
    self.output = output
    folder =
      place ?? FileManager.default.temporaryDirectory.appendingPathComponent("movies-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var scene = scene
    scene.devices = devices + [.stageMicrophone]
    scene.faults = faults
    provider = SimulatedDevices.install(scene: scene, clock: clock)
    session.sessionPreset = preset
    if hasCamera {
      let device = try #require(AVCaptureDevice(uniqueID: devices[0].facts.uniqueID))
      let input = try AVCaptureDeviceInput(device: device)
      session.addInput(input)
      camera = input
    }
    if hasMicrophone {
      let device = try #require(AVCaptureDevice(uniqueID: "stage.microphone"))
      session.addInput(try AVCaptureDeviceInput(device: device))
    }
    session.addOutput(output)
  }

  deinit {
    session.stopRunning()
    SimulatedDevices.uninstall()
    try? FileManager.default.removeItem(at: folder)
  }

  package var movie: AVCaptureMovieFileOutput {
    get throws { try #require(output as? AVCaptureMovieFileOutput) }
  }

  package func url(_ name: String = "movie.mov") -> URL { folder.appendingPathComponent(name) }

  /// Lets time pass for so many frames at 30 a second; all that they bring is coded when it returns.
  package func pass(frames: Int) { clock.advance(by: .nanoseconds(Int64(frames) * 1_000_000_000 / 30)) }

  /// Records for so many frames, and waits until the file is whole.
  @discardableResult
  package func record(frames: Int, to name: String = "movie.mov") throws -> URL {
    let url = url(name)
    output.startRecording(to: url, recordingDelegate: log)
    pass(frames: frames)
    output.stopRecording()
    #expect(log.wait(for: "finished \(name)"))
    return url
  }

  /// Puts another camera in the place of the present one.
  package func switchCamera(to model: SimulatedDeviceModel) throws {
    session.beginConfiguration()
    if let camera { session.removeInput(camera) }
    let device = try #require(AVCaptureDevice(uniqueID: model.facts.uniqueID))
    let input = try AVCaptureDeviceInput(device: device)
    session.addInput(input)
    camera = input
    session.commitConfiguration()
  }
}

/// Writes down what a recording's delegate hears, in order.
package final class RecordingLog: AVCaptureFileOutputRecordingDelegate, Sendable {
  private let list = Monitor<[String]>([])
  package let errors = Locked<[AVError]>([])
  package let starts = Locked<[CMTime]>([])
  package let inside = Hook<String>()

  package init() {}

  package var all: [String] { list.withLock { $0 } }
  package var lastError: AVError? { errors.withLock { $0.last } }

  /// Waits until `word` has come, at most half a minute; whether it did.
  package func wait(for word: String) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return list.wait(until: deadline) {
      $0.contains(word)
    } then: { _ in
      true
    } ?? false
  }

  private func note(_ word: String, _ url: URL) {
    inside.call(word)
    list.withLock { $0.append("\(word) \(url.lastPathComponent)") }
  }

  package func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection]
  ) {
    starts.withLock { $0.append(startPTS) }
    note("started", fileURL)
  }

  package func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) { note("paused", fileURL) }

  package func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) { note("resumed", fileURL) }

  package func fileOutput(
    _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) { note("finishing", fileURL) }

  package func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {
    if let error = error as? AVError { errors.withLock { $0.append(error) } }
    note("finished", outputFileURL)
  }
}

/// The content of a written movie, read back.
package struct WrittenMovie {
  /// The numbers that the camera painted into the frames.
  package var stamps: [UInt32?] = []
  /// The presentation times of the frames, in seconds.
  package var times: [Double] = []
  package var lightness: [Double] = []
  /// The audio of the first channel, and when it begins.
  package var audio: [Int16] = []
  package var audioStart: Double?
  package var audioRate = 48_000.0
  /// The times of clicks, in seconds.
  package var clicks: [Double] = []

  /// Reads a movie; `keepsAudio` is not for long ones.
  package init(_ url: URL, keepsAudio: Bool = true) throws {
    let asset = AVURLAsset(url: url)
    let reader = try AVAssetReader(asset: asset)
    let pictures = asset.tracks(withMediaType: .video).first.map {
      AVAssetReaderTrackOutput(
        track: $0,
        outputSettings: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ])
    }
    let sound = asset.tracks(withMediaType: .audio).first.map {
      AVAssetReaderTrackOutput(
        track: $0,
        outputSettings: [
          AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
          AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
        ])
    }
    for output in [pictures, sound].compactMap({ $0 }) { reader.add(output) }
    try #require(reader.startReading())
    while let sample = pictures?.copyNextSampleBuffer() {
      guard let picture = sample.imageBuffer else { continue }
      stamps.append(FrameStamp.read(from: picture))
      times.append(sample.presentationTimeStamp.seconds)
      lightness.append(Self.lightness(of: picture))
    }
    while let sample = sound?.copyNextSampleBuffer() {
      guard let data = try sample.dataBuffer?.dataBytes(), let format = sample.formatDescription,
        let basic = format.audioStreamBasicDescription
      else { continue }
      audioStart = audioStart ?? sample.presentationTimeStamp.seconds
      audioRate = basic.mSampleRate
      let channels = Int(basic.mChannelsPerFrame)
      data.withUnsafeBytes { bytes in
        let samples = bytes.bindMemory(to: Int16.self)
        let first = stride(from: 0, to: samples.count, by: channels).lazy.map { samples[$0] }
        if keepsAudio { audio += first }
        for (index, value) in first.enumerated() where value > 8000 || value < -8000 {
          let moment = sample.presentationTimeStamp.seconds + Double(index) / basic.mSampleRate
          if clicks.last.map({ moment - $0 > 0.3 }) ?? true { clicks.append(moment) }
        }
      }
    }
    #expect(reader.status == .completed)
  }

  /// The mean of the luma in the lower half, where no stamp is.
  private static func lightness(of picture: CVPixelBuffer) -> Double {
    let plane = picture.planes[0]
    var sum = 0
    for row in plane.height / 2..<plane.height {
      let bytes = plane.row(row)
      for column in 0..<plane.width { sum += Int(bytes[column]) }
    }
    return Double(sum) / Double(plane.width * (plane.height - plane.height / 2))
  }
}
