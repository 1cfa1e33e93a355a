import AVFCapture
import AVFoundation
import CameraTasks
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import Testing
import Waiting

extension DeviceSuites {
  @Suite("H.264 and HEVC of a camera as pictures")
  struct DecodedVideo {
    private static let bothCodecs: [FrameEncoding] = [.h264, .hevc]

    /// A stage whose camera sends nothing but real pictures of a codec.
    private static func stage(_ encoding: FrameEncoding = .h264) throws -> CodedStage {
      try CodedStage(encodings: [encoding], pictures: CodedPictures())
    }

    /// Whether samples hold the pictures of their frames.
    private func check(_ samples: [RecordingVideoDelegate.Sample], of camera: CodedCamera) throws {
      for sample in samples {
        let number = try #require(sample.sequence)
        let pixels = try #require(sample.buffer.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(abs(pixels.middleLight - CodedPictures.light(number)) <= 2)
        #expect(
          sample.buffer.presentationTimeStamp
            == CMTime(value: camera.time(of: number), timescale: 1_000_000_000))
      }
    }

    @Test(arguments: bothCodecs)
    func `a data output that asks for pixels gets each frame's picture, from a key frame on`(
      _ encoding: FrameEncoding
    ) throws {
      let stage = try Self.stage(encoding)
      try stage.add(encoding, settings: nil)
      #expect(
        stage.output.availableVideoPixelFormatTypes.first == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
      stage.session.startRunning()
      try stage.send(isKeyFrame: true)
      for _ in 0..<9 { try stage.send() }
      #expect(stage.delivered == (0..<10).map { $0 })
      try check(stage.delegate.samples.withLock { $0 }, of: stage.camera)
      #expect(stage.news.all.filter { $0 == "error" }.isEmpty)
    }

    @Test func `after a gap frames are lost until a key frame comes, and the client hears of each`() throws {
      let stage = try Self.stage()
      try stage.add(settings: nil)
      stage.session.startRunning()
      try stage.send(isKeyFrame: true)
      try stage.send()
      try stage.send(skipping: 1)
      try stage.send()
      try stage.send(isKeyFrame: true)
      try stage.send()
      #expect(stage.delivered == [0, 1, 5, 6])
      try check(stage.delegate.samples.withLock { $0 }, of: stage.camera)
      let drops = stage.delegate.drops.withLock { $0 }
      #expect(drops.map(\.sequence) == [3, 4])
      #expect(drops.allSatisfy { $0.reason == kCMSampleBufferDroppedFrameReason_Discontinuity as String })
      let statistics = stage.output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped)
    }

    @Test func `bytes that are no picture are lost, and the next key frame is shown`() throws {
      let stage = try CodedStage(encodings: [.h264])
      try stage.add(settings: nil)
      stage.session.startRunning()
      try stage.send(isKeyFrame: true)
      try stage.send()
      #expect(stage.delivered.isEmpty)
      #expect(stage.delegate.drops.withLock { $0.map(\.sequence) } == [0, 1])
      #expect(stage.session.isRunning)
    }

    @Test func `the camera's own H.264, pixels, photos and codes come side by side`() throws {
      let stage = try Self.stage()
      try stage.add(settings: [:])
      let (pixels, other) = (AVCaptureVideoDataOutput(), RecordingVideoDelegate())
      pixels.setSampleBufferDelegate(other, queue: stage.queue)
      pixels.alwaysDiscardsLateVideoFrames = false
      let (photo, metadata) = (AVCapturePhotoOutput(), AVCaptureMetadataOutput())
      for output in [pixels, photo, metadata] { stage.session.addOutput(output) }
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      #expect(stage.device.activeFormat.unsupportedCaptureOutputClasses.isEmpty)
      #expect(stage.device.activeFormat.supportedMaxPhotoDimensions.map(\.width) == [64])
      stage.session.startRunning()
      #expect(stage.output.availableVideoCodecTypes == [.h264])
      #expect(stage.session.connections.allSatisfy { $0.isActive })
      try stage.send(isKeyFrame: true)
      for _ in 0..<3 { try stage.send() }
      #expect(other.count.withLock { $0 } == 4)
      #expect(stage.delegate.samples.withLock { $0.allSatisfy { $0.buffer.imageBuffer == nil } })
      try check(other.samples.withLock { $0 }, of: stage.camera)
      #expect(layer.isPreviewing)

      let delegate = RecordingPhotoDelegate()
      photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
      var sent = 0
      while !isDone(delegate), sent < 60 {
        try stage.send()
        sent += 1
      }
      #expect(delegate.wait() && delegate.errors.withLock { $0.isEmpty })
      let taken = try #require(delegate.photos.withLock { $0.first })
      #expect(taken.resolvedSettings.photoDimensions.width == 64)
      #expect(taken.cgImageRepresentation() != nil)
    }

    private func isDone(_ delegate: RecordingPhotoDelegate) -> Bool {
      delegate.finishedCount.withLock { $0 > 0 }
    }

    @Test func `a preset takes a coded format for its size or where there is no other`() throws {
      func format(_ width: Int, _ encoding: FrameEncoding) -> StreamFormat {
        StreamFormat(
          size: FrameSize(width: width, height: width * 9 / 16), encoding: encoding,
          frameDurations: [FrameDuration(1, 30)...FrameDuration(1, 30)])
      }
      let formats = [
        format(1280, .motionJPEG), format(1280, .h264), format(1920, .h264), format(1920, .hevc),
      ]
      func chosen(_ preset: AVCaptureSession.Preset) -> StreamFormat? {
        FormatChoice.best(of: formats, for: preset).map { formats[$0.index] }
      }
      #expect(chosen(.hd1280x720) == formats[0])
      #expect(
        chosen(.high) == formats[2] && chosen(.photo) == formats[2] && chosen(.hd1920x1080) == formats[2])
      #expect(chosen(.medium) == formats[0] && chosen(.low) == formats[0])
      let only = try Self.stage()
      let input = try AVCaptureDeviceInput(device: only.device)
      #expect(only.device.supportsSessionPreset(.high) && only.session.canAddInput(input))
      _ = try CameraRun(camera: only.device)
    }

    @Test func `what the camera sends is turned where a connection is`() throws {
      let stage = try Self.stage()
      try stage.add(settings: [:])
      let connection = try #require(stage.output.connection(with: .video))
      connection.videoRotationAngle = 90
      #expect(connection.isActive)
      stage.session.startRunning()
      try stage.send(isKeyFrame: true)
      let pixels = try #require(stage.delegate.samples.withLock { $0.first?.buffer.imageBuffer })
      #expect(CVPixelBufferGetWidth(pixels) == 48 && CVPixelBufferGetHeight(pixels) == 64)
    }

    @Test func `a change of the pictures reaches pixels, and not what is asked for as it comes`() throws {
      let stage = try Self.stage()
      try stage.add(settings: [:])
      let (pixels, other) = (AVCaptureVideoDataOutput(), RecordingVideoDelegate())
      pixels.setSampleBufferDelegate(other, queue: stage.queue)
      stage.session.addOutput(pixels)
      let input = try #require(stage.session.inputs.first as? AVCaptureDeviceInput)
      input.setPictureChange(pixelFormats: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]) {
        _, target, _ in
        target.fill(200)
      }
      stage.session.startRunning()
      try stage.send(isKeyFrame: true)
      #expect(other.count.withLock { $0 } == 1)
      #expect(other.samples.withLock { $0.first?.buffer.imageBuffer?.middleLight } == 200)
      #expect(stage.delegate.samples.withLock { $0.first?.buffer.imageBuffer } == nil)
    }

    @Test func `photos of the past and the newest frame are kept decoded`() throws {
      let stage = try Self.stage()
      stage.session.sessionPreset = .inputPriority
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.device))
      let photo = AVCapturePhotoOutput()
      stage.session.addOutput(photo)
      try stage.choose(.h264)
      #expect(photo.isZeroShutterLagSupported)
      photo.isZeroShutterLagEnabled = true
      stage.session.startRunning()
      try stage.camera.send(isKeyFrame: true)
      for _ in 0..<8 { try stage.camera.send() }
      let delegate = RecordingPhotoDelegate()
      photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
      var sent = 0
      while !isDone(delegate), sent < 60 {
        try stage.camera.send(isKeyFrame: true)
        stage.settle()
        sent += 1
      }
      #expect(delegate.wait())
      #expect(delegate.errors.withLock { $0 }.isEmpty)
    }
  }
}
