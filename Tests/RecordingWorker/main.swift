import AVFoundation
import CoreMedia
import Foundation
import Glibc
import MovieTools
import SimulatedDevices
import Waiting

// Records without end, for tests that kill it or take its file away. Arguments: `output` for a movie file output with its usual
// settings, or `writer` for an asset writer; a codec; a file. It prints how many seconds of media it has taken so far; `error` and
// why, when the recording ends.

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // A line that cannot be printed is of a test that has ended.
  if write(1, bytes, bytes.count) != bytes.count { exit(1) }
}

func ended(_ error: (any Error)?, isPlayable: Bool) -> Never {
  let code = (error as? AVError)?.code.rawValue ?? 0
  say("error \(code) \(isPlayable) \(error?.localizedDescription ?? "none")")
  exit(0)
}

final class Delegate: AVCaptureFileOutputRecordingDelegate {
  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    let key = (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool
    ended(error, isPlayable: key ?? true)
  }
}

func recordByOutput(_ codec: AVVideoCodecType, _ url: URL) throws {
  SimulatedDevices.install(scene: Scene(isNoisy: false), clock: .real)
  let session = AVCaptureSession()
  session.sessionPreset = .vga640x480
  for type in [AVMediaType.video, .audio] {
    guard let device = AVCaptureDevice.default(for: type) else { continue }
    session.addInput(try AVCaptureDeviceInput(device: device))
  }
  let output = AVCaptureMovieFileOutput()
  session.addOutput(output)
  if codec != .h264, let connection = output.connection(with: .video) {
    output.setOutputSettings([AVVideoCodecKey: codec], for: connection)
  }
  let delegate = Delegate()
  session.startRunning()
  output.startRecording(to: url, recordingDelegate: delegate)
  while true {
    let seconds = output.recordedDuration.seconds
    if seconds > 0 { say("\(seconds)") }
    pause(seconds: 0.01, because: "the recording says nothing of each frame")
  }
}

func recordByWriter(_ codec: AVVideoCodecType, _ url: URL) throws {
  let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
  let video = AVAssetWriterInput(
    mediaType: .video,
    outputSettings: [AVVideoCodecKey: codec, AVVideoWidthKey: 320, AVVideoHeightKey: 240])
  let audio = AVAssetWriterInput(
    mediaType: .audio,
    outputSettings: [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
      AVEncoderBitRateKey: 128_000,
    ])
  for input in [video, audio] { input.expectsMediaDataInRealTime = true }
  let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
  writer.add(video)
  writer.add(audio)
  guard writer.startWriting() else { ended(writer.error, isPlayable: false) }
  writer.startSession(atSourceTime: .zero)
  let start = Date()
  for number in 0... {
    let time = CMTime(value: Int64(number), timescale: 30)
    pause(seconds: max(0, time.seconds - Date().timeIntervalSince(start)), because: "it records in real time")
    while !(video.isReadyForMoreMediaData && audio.isReadyForMoreMediaData) {
      writer.settle()
      if writer.status == .failed { ended(writer.error, isPlayable: AVURLAsset(url: url).isPlayable) }
    }
    let picture = try TestMovie.picture(number, width: 320, height: 240)
    guard adaptor.append(picture, withPresentationTime: time) else { continue }
    _ = audio.append(try TestMovie.tone(from: number * 1600, count: 1600))
    say("\(time.seconds)")
  }
}

let words = CommandLine.arguments
guard words.count == 4 else { exit(2) }
let codec = words[2] == "hevc" ? AVVideoCodecType.hevc : .h264
let url = URL(fileURLWithPath: words[3])
if words[1] == "output" { try recordByOutput(codec, url) } else { try recordByWriter(codec, url) }
