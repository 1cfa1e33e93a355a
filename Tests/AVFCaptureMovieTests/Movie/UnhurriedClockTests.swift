import AVFoundation
import CaptureStage
import FoundationExtras
import Glibc
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("A clock that waits for its clients")
  struct UnhurriedClockTests {
    /// Notes which calls saw the clock go on before they returned.
    private final class Watch: Sendable {
      private let calls = Locked<[(name: String, movedOn: Bool)]>([])
      private let clock: SimulatedClock

      init(_ clock: SimulatedClock) { self.clock = clock }

      /// Gives every other thread its turn, many times: a clock that does not wait moves on meanwhile.
      func note(_ name: String) {
        let before = clock.now
        for _ in 0..<5_000 { sched_yield() }
        let movedOn = clock.now != before
        calls.withLock { $0.append((name, movedOn)) }
      }

      var names: Set<String> { calls.withLock { Set($0.map(\.name)) } }
      var hurried: Set<String> { calls.withLock { Set($0.filter(\.movedOn).map(\.name)) } }
    }

    @Test
    func `a clock does not go on before what a frame brought about has been reported`() throws {
      let stage = try MovieStage()
      let watch = Watch(stage.clock)
      stage.log.inside.set { watch.note($0) }
      let photos = AVCapturePhotoOutput()
      stage.session.addOutput(photos)
      let pictures = RecordingPhotoDelegate()
      pictures.inside.set { watch.note("photo") }
      stage.session.startRunning()
      for round in 0..<4 {
        stage.output.startRecording(to: stage.url("\(round).mov"), recordingDelegate: stage.log)
        // The first frame comes amid much sound, whose events follow at once.
        stage.clock.advance(by: .milliseconds(170))
        if round == 0 { photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: pictures) }
        stage.clock.advance(by: .milliseconds(230))
        stage.output.stopRecording()
        stage.clock.advance(by: .milliseconds(100))
      }
      #expect(watch.names == ["started", "finishing", "finished", "photo"])
      #expect(watch.hurried.isEmpty, "the clock went on during: \(watch.hurried)")
    }

    @Test
    func `what files are asked for has been answered when the clock stands`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      let url = try stage.record(frames: 10)
      let answers = Locked<[String]>([])

      let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
      let times = [0, 0.1, 0.2].map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 600)) }
      generator.generateCGImagesAsynchronously(forTimes: times) { _, image, _, _, _ in
        answers.withLock { $0.append(image == nil ? "none" : "image") }
      }
      stage.clock.settle()
      #expect(answers.withLock { $0 } == ["image", "image", "image"])

      let writer = try AVAssetWriter(outputURL: stage.url("empty.mov"), fileType: .mov)
      writer.add(
        AVAssetWriterInput(
          mediaType: .video,
          outputSettings: [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240,
          ]))
      #expect(writer.startWriting())
      writer.finishWriting { answers.withLock { $0.append("written") } }
      stage.clock.settle()
      #expect(answers.withLock { $0.last } == "written")
    }
  }
}
