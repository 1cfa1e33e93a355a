import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import Testing

extension DeviceSuites {
  @Suite("Movies of H.264 as a camera sends it")
  struct CodedMovieTests {
    @Test
    func `access units are written as they come, from the first key frame on`() throws {
      let stage = try CodedStage()
      try stage.add()
      let (output, log) = (AVCaptureMovieFileOutput(), RecordingLog())
      stage.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      // A matrix turns what is not decoded.
      connection.videoRotationAngle = 90
      stage.session.startRunning()
      #expect(connection.isActive && output.outputSettings(for: connection).isEmpty)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "movies-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let url = folder.appendingPathComponent("coded.mov")
      output.startRecording(to: url, recordingDelegate: log)
      try stage.camera.send()
      try stage.camera.send(isKeyFrame: true)
      for _ in 0..<5 { try stage.camera.send() }
      // A frame of the very microsecond of the stop is not recorded.
      #expect(eventually { output.recordedFrameCount == 6 })
      output.stopRecording()
      #expect(log.wait(for: "finished coded.mov"))
      #expect(log.lastError == nil && output.recordedFrameCount == 6)
      let asset = AVURLAsset(url: url)
      let track = try #require(asset.tracks(withMediaType: .video).first)
      #expect(track.preferredTransform.b == 1)
      let reader = try AVAssetReader(asset: asset)
      let samples = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
      reader.add(samples)
      try #require(reader.startReading())
      var count = 0
      while let sample = samples.copyNextSampleBuffer() {
        #expect(sample.totalSampleSize == 8)
        #expect(abs(sample.presentationTimeStamp.seconds - Double(count) / 30) < 0.000_01)
        count += 1
      }
      #expect(count == 6)
    }

    @Test
    func `another codec is refused, with the reason`() throws {
      let stage = try CodedStage()
      try stage.add()
      let (output, log) = (AVCaptureMovieFileOutput(), RecordingLog())
      stage.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
      stage.session.startRunning()
      #expect(!connection.isActive)
      let mistakes = ProgrammingMistake.collect {
        output.startRecording(to: URL(fileURLWithPath: "/tmp/never.mov"), recordingDelegate: log)
      }
      #expect(mistakes.first?.rule.contains("nothing here decodes") == true)
      #expect(log.wait(for: "finished never.mov"))
    }
  }
}
