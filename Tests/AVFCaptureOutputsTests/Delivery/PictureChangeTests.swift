import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import MovieTools
import PhotoProcessing
import SimulatedDevices
import StillCodecs
import Testing

/// A turn of hue that counts the frames it changes.
final class HueTurn: Sendable {
  static let formats = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ]
  private let counts = Locked<[CMTime: Int]>([:])
  private let width: Int

  /// - Parameter width: Of the pictures that are counted.
  init(counting width: Int = 0) { self.width = width }

  /// How often each frame was changed, by its time.
  var times: [CMTime: Int] { counts.withLock { $0 } }

  /// Swaps both colour differences of a picture of 4:2:0.
  func change(_ picture: CVPixelBuffer, _ target: CVPixelBuffer, _ time: CMTime) {
    if picture.width == width { counts.withLock { $0[time, default: 0] += 1 } }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    CVPixelBufferLockBaseAddress(target, [])
    defer {
      CVPixelBufferUnlockBaseAddress(target, [])
      CVPixelBufferUnlockBaseAddress(picture, .readOnly)
    }
    for (plane, (from, to)) in zip(picture.planes, target.planes).enumerated() {
      for row in 0..<from.height {
        let (source, goal) = (from.row(row), to.row(row))
        for x in 0..<min(source.count, goal.count) { goal[x] = source[plane == 0 ? x : x ^ 1] }
      }
    }
  }

  /// By how much a picture of 4:2:0 is more red than blue in the mean, in steps of its chroma.
  static func warmth(_ picture: CVPixelBuffer) -> Double {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard picture.planes.count == 2 else { return .nan }
    let plane = picture.planes[1]
    var sum = 0
    for row in 0..<plane.height {
      let bytes = plane.row(row)
      for x in 0..<picture.width / 2 { sum += Int(bytes[2 * x + 1]) - Int(bytes[2 * x]) }
    }
    return Double(sum) / Double(picture.width / 2 * plane.height)
  }
}

/// Blackens the pictures that it gets.
private final class Painter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let pixels = sampleBuffer.imageBuffer else { return }
    CVPixelBufferLockBaseAddress(pixels, [])
    for row in 0..<pixels.planes[0].height {
      for x in pixels.planes[0].row(row).indices { pixels.planes[0].row(row)[x] = 0 }
    }
    CVPixelBufferUnlockBaseAddress(pixels, [])
  }
}

extension DeviceSuites {
  @Suite("A change of all pictures of a camera")
  struct PictureChangeTests {
    private static var pixels: [String: Any] {
      [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
    }

    /// Light that is more red than blue.
    private static let background = SceneBackground(.color(red: 0.6, green: 0.5, blue: 0.4))
    private static var scene: Scene {
      var scene = Scene(isStamped: false, isNoisy: false, background: background)
      scene.isStill = true
      return scene
    }

    private func warmth(shownBy layer: AVCaptureVideoPreviewLayer) throws -> Double {
      HueTurn.warmth(try #require(layer.frames.takeNewest()).pixels)
    }

    private func warmth(ofMovie url: URL) throws -> [Double] {
      let asset = AVURLAsset(url: url)
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderTrackOutput(
        track: try #require(asset.tracks(withMediaType: .video).first), outputSettings: Self.pixels)
      reader.add(output)
      reader.startReading()
      var all: [Double] = []
      while let sample = output.copyNextSampleBuffer() {
        all.append(HueTurn.warmth(try #require(sample.imageBuffer)))
      }
      return all
    }

    private static func camera(
      _ encoding: FrameEncoding, size: FrameSize = MovieStage.size, stillSizes: [FrameSize]? = nil
    ) -> SimulatedDeviceModel {
      .camera(
        uniqueID: "change.back", sizes: [size], stillSizes: stillSizes, encodings: [encoding],
        sensorRotation: 0)
    }

    @Test(arguments: [FrameEncoding.pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), .motionJPEG])
    func `preview, data output, movie, photo and its parts show it, and each frame is changed once`(
      encoding: FrameEncoding
    ) throws {
      let stage = try MovieStage(
        scene: Self.scene,
        devices: [Self.camera(encoding, stillSizes: [FrameSize(width: 640, height: 480)])],
        hasMicrophone: false)
      let data = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      data.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
      stage.session.addOutput(data)
      let photos = AVCapturePhotoOutput()
      stage.session.addOutput(photos)
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      stage.session.startRunning()
      stage.pass(frames: 3)
      let usual = try warmth(shownBy: layer)
      #expect(usual > 10)

      let turn = HueTurn(counting: MovieStage.size.width)
      stage.camera?.setPictureChange(pixelFormats: HueTurn.formats, turn.change)
      stage.pass(frames: 3)
      delegate.samples.withLock { $0 = [] }
      let receipt = RecordingPhotoDelegate()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      let settings = AVCapturePhotoSettings(format: Self.pixels)
      settings.previewPhotoFormat = Self.pixels.merging([
        kCVPixelBufferWidthKey as String: 80, kCVPixelBufferHeightKey as String: 60,
      ]) { $1 }
      photos.capturePhoto(with: settings, delegate: receipt)
      photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: receipt)
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && receipt.wait(for: 2))

      #expect(abs(try warmth(shownBy: layer) + usual) < 1)
      let delivered = delegate.samples.withLock { $0 }.compactMap(\.buffer.imageBuffer)
      #expect(delivered.count > 15 && delivered.allSatisfy { abs(HueTurn.warmth($0) + usual) < 1 })
      let recorded = try warmth(ofMovie: stage.url())
      // Coded with another matrix than the camera's.
      #expect(recorded.count > 15 && recorded.allSatisfy { $0 < -usual / 2 })
      let taken = receipt.photos.withLock { $0 }
      #expect(receipt.errors.withLock { $0.isEmpty }, "\(receipt.errors.withLock { $0 })")
      #expect(abs(HueTurn.warmth(try #require(taken[0].pixelBuffer)) + usual) < 1)
      #expect(abs(HueTurn.warmth(try #require(taken[0].previewPixelBuffer)) + usual) < 2)
      let file = try JPEGDecoder.decode(try #require(taken[1].fileDataRepresentation()))
      #expect(abs(HueTurn.warmth(file) + usual) < 3)
      #expect(turn.times.count >= 23 && turn.times.values.allSatisfy { $0 == 1 })

      // Without it the camera's own pictures are back, the same for all.
      stage.camera?.setPictureChange(nil)
      stage.pass(frames: 2)
      let count = turn.times.count
      stage.pass(frames: 3)
      #expect(abs(try warmth(shownBy: layer) - usual) < 1 && turn.times.count == count)
      let newest = try #require(delegate.samples.withLock { $0.last }?.buffer.imageBuffer)
      #expect(newest === layer.frames.takeNewest()?.pixels)
    }

    @Test func `between begin and commit the camera keeps the change that it had`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      stage.session.startRunning()
      let format = try stage.camera().activeFormat.formatDescription
      let turn = HueTurn(counting: Int(CMVideoFormatDescriptionGetDimensions(format).width))
      stage.session.beginConfiguration()
      input.setPictureChange(pixelFormats: HueTurn.formats, turn.change)
      stage.pass(frames: 3)
      #expect(turn.times.isEmpty && layer.frames.takeNewest() != nil)
      stage.session.commitConfiguration()
      stage.pass(frames: 3)
      let count = turn.times.count
      #expect(count >= 2)
      // It stays when the session is stopped and started.
      stage.session.stopRunning()
      stage.session.startRunning()
      stage.pass(frames: 3)
      #expect(turn.times.count >= count + 2)
      stage.session.stopRunning()
    }

    @Test func `what a client draws into its picture is in no photo`() throws {
      let stage = SessionStage(devices: [Self.camera(.motionJPEG, size: SessionStage.small)])
      let input = try AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: "change.back")))
      stage.session.addInput(input)
      let output = AVCaptureVideoDataOutput()
      output.videoSettings = Self.pixels
      let painter = Painter()
      output.setSampleBufferDelegate(painter, queue: DispatchQueue(label: "test"))
      stage.session.addOutput(output)
      let photos = AVCapturePhotoOutput()
      stage.session.addOutput(photos)
      photos.isZeroShutterLagEnabled = photos.isZeroShutterLagSupported
      stage.session.startRunning()
      for change in [nil, HueTurn().change] as [AVCaptureDeviceInput.PictureChange?] {
        input.setPictureChange(pixelFormats: HueTurn.formats, change)
        stage.pass(frames: 4)
        let receipt = RecordingPhotoDelegate()
        photos.capturePhoto(with: AVCapturePhotoSettings(format: Self.pixels), delegate: receipt)
        stage.pass(frames: 2)
        #expect(receipt.wait())
        let photo = try #require(receipt.photos.withLock { $0.first }?.pixelBuffer)
        #expect(photo.planes[0].row(0)[0] > 0)
      }
      stage.session.stopRunning()
    }

    @Test func `a change that no picture can be converted for is a mistake`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let mistakes = ProgrammingMistake.collect {
        input.setPictureChange(pixelFormats: []) { _, _, _ in }
        input.setPictureChange(pixelFormats: [kCVPixelFormatType_DepthFloat32]) { _, _, _ in }
      }
      #expect(mistakes.count == 2)
    }

    @Test func `pictures of other formats are converted for it, and back`() throws {
      let stage = SessionStage(devices: [
        Self.camera(.pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange), size: SessionStage.small)
      ])
      let input = try AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: "change.back")))
      stage.session.addInput(input)
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
      stage.session.addOutput(output)
      let formats = Locked<Set<OSType>>([])
      input.setPictureChange { picture, target, _ in
        formats.withLock { $0 = [picture.format, target.format] }
        CVPixelBufferLockBaseAddress(target, [])
        for plane in target.planes {
          for row in 0..<plane.height { for x in plane.row(row).indices { plane.row(row)[x] = 255 } }
        }
        CVPixelBufferUnlockBaseAddress(target, [])
      }
      stage.session.startRunning()
      stage.pass(frames: 2)
      stage.session.stopRunning()
      #expect(formats.withLock { $0 } == [kCVPixelFormatType_32BGRA])
      let sample = try #require(delegate.samples.withLock { $0.last }?.buffer.imageBuffer)
      #expect(sample.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
      #expect(sample.planes[0].row(0)[0] == 235)
    }

    @Test func `a frame whose change fails is lost, and a photo of it ends with that error`() throws {
      struct Refusal: Error {}
      let stage = SessionStage()
      let (input, counter) = try stage.addCamera()
      let photos = AVCapturePhotoOutput()
      stage.session.addOutput(photos)
      let receipt = RecordingPhotoDelegate()
      stage.session.startRunning()
      stage.pass(frames: 2)
      input.setPictureChange(pixelFormats: HueTurn.formats) { _, _, _ in throw Refusal() }
      let (frames, drops) = (counter.frames, counter.drops)
      stage.pass(frames: 5)
      #expect(counter.frames <= frames + 1 && counter.drops >= drops + 4)
      let settings = AVCapturePhotoSettings()
      photos.capturePhoto(with: settings, delegate: receipt)
      stage.pass(frames: 2)
      #expect(receipt.wait())
      #expect(receipt.steps.withLock { $0 }.contains(.processed(settings.uniqueID, failed: true)))
      input.setPictureChange(nil)
      stage.pass(frames: 3)
      #expect(counter.frames > frames + 1)
      stage.session.stopRunning()
    }

    @Test func `a movie of what the camera has coded is coded anew with it`() throws {
      let stage = try MovieStage(
        scene: Self.scene, devices: [Self.camera(.motionJPEG)],
        hasMicrophone: false)
      let connection = try #require(stage.output.connection(with: .video))
      try stage.movie.setOutputSettings([:], for: connection)
      stage.session.startRunning()
      stage.pass(frames: 3)
      let usual = try warmth(ofMovie: stage.record(frames: 3, to: "usual.mov"))[0]
      stage.camera?.setPictureChange(pixelFormats: HueTurn.formats, HueTurn().change)
      stage.pass(frames: 3)
      let changed = try warmth(ofMovie: stage.record(frames: 5, to: "changed.mov"))
      #expect(changed.count == 5 && changed.allSatisfy { $0 < -usual / 2 })
      let codecs = try ["usual.mov", "changed.mov"].map {
        try Program.probe(stage.url($0).path).stream("video")["codec_name"] as? String
      }
      #expect(codecs == ["mjpeg", "h264"])
    }

    @Test func `set and taken away while a movie is recorded, it costs no frame`() throws {
      let stage = try MovieStage(
        scene: Self.scene,
        devices: [Self.camera(.pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))], hasMicrophone: false)
      stage.session.startRunning()
      stage.pass(frames: 3)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.camera?.setPictureChange(pixelFormats: HueTurn.formats, HueTurn().change)
      stage.pass(frames: 10)
      stage.camera?.setPictureChange(nil)
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      let recorded = try warmth(ofMovie: stage.url())
      #expect(recorded.count == 30 && stage.output.droppedFrameCount == 0)
      #expect(recorded.map { $0 > 0 } == (0..<30).map { !(10..<20).contains($0) })
    }

    @Test func `two cameras at once have a change each`() throws {
      let stage = SessionStage()
      let session = AVCaptureMultiCamSession()
      let counters = [FrameCounter(), FrameCounter()]
      let turns = try zip([SessionStage.back, SessionStage.front], counters).map { model, counter in
        let input = try AVCaptureDeviceInput(device: stage.camera(model))
        let output = AVCaptureVideoDataOutput()
        counter.watch(output)
        session.addInputWithNoConnections(input)
        session.addOutputWithNoConnections(output)
        session.addConnection(AVCaptureConnection(inputPorts: [input.ports[0]], output: output))
        let format = input.device.activeFormat.formatDescription
        let turn = HueTurn(counting: Int(CMVideoFormatDescriptionGetDimensions(format).width))
        input.setPictureChange(pixelFormats: HueTurn.formats, turn.change)
        return turn
      }
      session.startRunning()
      stage.pass(frames: 5)
      session.stopRunning()
      for (turn, counter) in zip(turns, counters) {
        #expect(counter.frames > 3 && turn.times.count == counter.frames)
        #expect(turn.times.values.allSatisfy { $0 == 1 })
      }
    }

    @Test func `a photo that is finished later has the change of its press`() throws {
      let stage = try DeferredStage(background: Self.background)
      let input = try #require(stage.stage.session.inputs.first as? AVCaptureDeviceInput)
      func warmth() throws -> Double {
        #expect(stage.take(DeferredStage.settings(.jpeg)))
        let proxy = try #require(stage.delegate.proxies.withLock { $0.last }?.fileDataRepresentation())
        let name = try #require(DeferredPhotoStore.identifier(inProxy: proxy))
        return HueTurn.warmth(try JPEGDecoder.decode(stage.store.finish(name).file))
      }
      let usual = try warmth()
      input.setPictureChange(pixelFormats: HueTurn.formats, HueTurn().change)
      stage.stage.pass(frames: 2)
      #expect(abs(try warmth() + usual) < 3 && usual > 10)
    }
  }
}
