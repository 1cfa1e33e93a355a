import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import Testing
import Waiting

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
      stage.settle()
      #expect(output.recordedFrameCount == 6)
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

    @Test(arguments: [true, false])
    func `another codec, or a change of the pictures, is coded anew`(_ isChanged: Bool) throws {
      let stage = try CodedStage(encodings: [.h264], pictures: CodedPictures())
      try stage.add()
      let (output, log) = (AVCaptureMovieFileOutput(), RecordingLog())
      stage.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      if isChanged {
        let input = try #require(stage.session.inputs.first as? AVCaptureDeviceInput)
        input.setPictureChange(pixelFormats: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]) {
          _, target, _ in target.fill(150)
        }
      } else {
        output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
      }
      stage.session.startRunning()
      #expect(connection.isActive)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov")
      defer { try? FileManager.default.removeItem(at: url) }
      output.startRecording(to: url, recordingDelegate: log)
      try stage.camera.send(isKeyFrame: true)
      for _ in 0..<5 { try stage.send() }
      stage.settle()
      #expect(output.recordedFrameCount == 6)
      // A recording goes on as it began.
      (stage.session.inputs.first as? AVCaptureDeviceInput)?.setPictureChange(nil)
      for _ in 0..<2 { try stage.send() }
      stage.settle()
      #expect(output.recordedFrameCount == 8)
      output.stopRecording()
      #expect(log.wait(for: "finished \(url.lastPathComponent)"))
      #expect(log.lastError == nil)
      let asset = AVURLAsset(url: url)
      let track = try #require(asset.tracks(withMediaType: .video).first)
      let reader = try AVAssetReader(asset: asset)
      let samples = AVAssetReaderTrackOutput(
        track: track,
        outputSettings: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ])
      reader.add(samples)
      try #require(reader.startReading())
      var lights: [Int] = []
      while let sample = samples.copyNextSampleBuffer() {
        if let pixels = sample.imageBuffer { lights.append(pixels.middleLight) }
      }
      let plain = (0..<8).map { CodedPictures.light(UInt32($0)) }
      let expected = isChanged ? Array(repeating: 150, count: 6) + plain[6...] : plain
      #expect(lights.count == 8)
      #expect(
        zip(lights, expected).allSatisfy { abs($0 - $1) <= (isChanged ? 10 : 4) },
        "\(lights) instead of \(expected)")
    }

    @Test
    func
      `a change of the pictures leaves a recording of the camera's own H.264 as it began, and the next has it`()
      throws
    {
      let stage = try CodedStage(encodings: [.h264], pictures: CodedPictures())
      try stage.add()
      let (output, log) = (AVCaptureMovieFileOutput(), RecordingLog())
      stage.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      stage.session.startRunning()
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      output.startRecording(to: folder.appendingPathComponent("own.mov"), recordingDelegate: log)
      try stage.send(isKeyFrame: true)
      stage.settle()
      #expect(output.recordedFrameCount == 1)
      let input = try #require(stage.session.inputs.first as? AVCaptureDeviceInput)
      input.setPictureChange { picture, target, _ in throw StillChanged() }
      for _ in 0..<3 { try stage.send() }
      stage.settle()
      #expect(output.recordedFrameCount == 4)
      output.stopRecording()
      #expect(log.wait(for: "finished own.mov") && log.lastError == nil)
      stage.settle()
      #expect(!output.outputSettings(for: connection).isEmpty)
    }
  }
}

private struct StillChanged: Error {}
