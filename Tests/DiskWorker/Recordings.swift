import AVFAudio
import AVFCapture
import AVFCore
import AVFoundation
import CaptureDevice
import CoreMedia
import Foundation
import ImageIO
import Linux
import MovieTools
import ObscuraCommands
import SimulatedDevices

/// Waits for the end of a recording.
private final class Delegate: AVCaptureFileOutputRecordingDelegate {
  let ended = DispatchSemaphore(value: 0)
  private let stage: Stage

  init(_ stage: Stage) { self.stage = stage }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    if let error = error as? AVError {
      let isKept = error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true
      stage.say("failed \(isKept ? "kept" : "lost") \(error.localizedDescription)")
    } else {
      stage.say("done movie")
    }
    ended.signal()
  }
}

/// Steps of a tenth of a second that a recording lasts.
private let steps = 24

/// Records with a movie file output, in the time of a manual clock.
///
/// - Parameters:
///   - fragments: How often what was taken is brought to the disk, in seconds; `nil` as usual.
///   - steps: How many tenths of a second it lasts.
func recordMovie(
  _ codec: AVVideoCodecType, fragments: Double? = nil, steps: Int = steps, _ stage: Stage
) throws {
  let clock = SimulatedClock()
  SimulatedDevices.install(scene: QuickDevices.scene, clock: clock)
  let session = AVCaptureSession()
  session.sessionPreset = .high
  for id in [QuickDevices.camera, QuickDevices.microphone.facts.uniqueID] {
    guard let device = AVCaptureDevice(uniqueID: id) else { throw CocoaError(.featureUnsupported) }
    session.addInput(try AVCaptureDeviceInput(device: device))
  }
  let output = AVCaptureMovieFileOutput()
  session.addOutput(output)
  if let fragments { output.movieFragmentInterval = CMTime(seconds: fragments, preferredTimescale: 600) }
  if let connection = output.connection(with: .video) {
    output.setOutputSettings([AVVideoCodecKey: codec], for: connection)
  }
  let delegate = Delegate(stage)
  session.startRunning()
  clock.advance(by: .milliseconds(100))
  stage.begin()
  output.startRecording(to: URL(fileURLWithPath: "\(stage.folder)/movie.mov"), recordingDelegate: delegate)
  for step in 1...steps {
    clock.advance(by: .milliseconds(100))
    stage.say("taken \(Double(step) / 10)")
  }
  output.stopRecording()
  delegate.ended.wait()
}

/// Records with an asset writer.
func recordByWriter(_ stage: Stage) throws {
  stage.begin()
  let writer = try AVAssetWriter(
    outputURL: URL(fileURLWithPath: "\(stage.folder)/movie.mov"), fileType: .mov)
  let video = AVAssetWriterInput(
    mediaType: .video,
    outputSettings: [
      AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 160, AVVideoHeightKey: 120,
    ])
  let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
  writer.add(video)
  func fail() -> Bool {
    guard writer.status == .failed else { return false }
    stage.say("failed \(writer.error?.localizedDescription ?? "")")
    return true
  }
  guard writer.startWriting() else {
    _ = fail()
    return
  }
  writer.startSession(atSourceTime: .zero)
  for number in 0..<steps * 3 {
    // What was appended before is written, so that a run has the same calls each time.
    writer.settle()
    if fail() { return }
    let picture = try TestMovie.picture(number, width: 160, height: 120)
    if !adaptor.append(picture, withPresentationTime: CMTime(value: Int64(number), timescale: 30)), fail() {
      return
    }
    if number % 3 == 2 { stage.say("given \(Double(number + 1) / 30)") }
  }
  video.markAsFinished()
  let ended = DispatchSemaphore(value: 0)
  writer.finishWriting { ended.signal() }
  ended.wait()
  if !fail() { stage.say("done movie") }
}

/// Records a `.wav` file, in the time of a manual clock.
///
/// - Parameter steps: How many tenths of a second it lasts.
func recordAudio(steps: Int, _ stage: Stage) throws {
  let clock = SimulatedClock()
  SimulatedDevices.install(scene: Scene(devices: [QuickDevices.microphone]), clock: clock)
  stage.begin()
  let recorder = try AVAudioRecorder(
    url: URL(fileURLWithPath: "\(stage.folder)/sound.wav"),
    settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
  guard recorder.record() else {
    stage.say("failed to begin")
    return
  }
  for step in 1...steps {
    clock.advance(by: .milliseconds(100))
    stage.say("taken \(Double(step) / 10)")
    guard recorder.isRecording else {
      stage.say("failed while it recorded")
      return
    }
  }
  recorder.stop()
  stage.say("done sound")
}

/// Runs a command of `obscura`, which prints the paths of its files.
func runCommand(_ words: [String], _ stage: Stage) {
  signal(SIGPIPE, SIG_IGN)
  QuickDevices.begin()
  stage.begin()
  let code = ObscuraCommand.run(words)
  stage.say(code == .done ? "done command" : "failed \(code.rawValue)")
}

/// Writes the settings that video effects are kept in.
func chooseEffects(_ stage: Stage) throws {
  let path = "\(stage.folder)/settings/effects.json"
  stage.begin()
  try VideoEffectsFile.change(at: path) { $0[.portrait, nil].on = true }
  stage.say("done settings")
}

/// Says how many seconds can be played of each file.
func measure(_ stage: Stage, _ names: [String]) throws {
  for name in names {
    let url = URL(fileURLWithPath: "\(stage.folder)/\(name)")
    if name.hasSuffix("wav") {
      let file = try? AVAudioFile(forReading: url)
      stage.say("seconds \(file.map { Double($0.length) / 48_000 } ?? 0)")
      continue
    }
    guard name.hasSuffix("mov") else {
      let source = CGImageSourceCreateWithURL(url, nil)
      let isWhole = source.flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) } != nil
      stage.say(isWhole ? "picture whole" : "picture broken")
      continue
    }
    let asset = AVURLAsset(url: url)
    guard let track = asset.tracks(withMediaType: .video).first else {
      stage.say("seconds 0")
      continue
    }
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track,
      outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
    reader.add(output)
    var count = 0
    if reader.startReading() { while output.copyNextSampleBuffer() != nil { count += 1 } }
    // Each picture is decoded, up to one that a power cut has torn; the track says until when the last one is shown.
    stage.say(
      "seconds \(reader.status == .completed ? asset.duration.seconds : Double(count) / 30) of \(count) pictures"
    )
  }
}
