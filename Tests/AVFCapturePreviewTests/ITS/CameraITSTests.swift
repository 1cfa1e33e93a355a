import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import GraphicsCore
import ImageIO
import Linux
import SimulatedDevices
import StillCodecs
import Testing

extension DeviceSuites {
  /// The figures of Android's Camera Image Test Suite, on the manual clock.
  ///
  /// Source: CameraITS in Android's CTS, tests `test_jitter`, `test_burst_capture`, `test_yuv_plus_jpeg`, `test_jpeg_quality`,
  /// `test_ev_compensation_basic`, `test_locked_burst`; patches are a tenth of the picture's sides, in its middle.
  @Suite("Camera ITS")
  struct CameraITS {
    private let output = AVCapturePhotoOutput()
    private let delegate = RecordingPhotoDelegate()

    /// A grey wall with a warm poster, with the sensor's noise.
    private func rig(_ faults: [SceneFault] = [], size: FrameSize = FrameSize(width: 160, height: 120)) throws
      -> CaptureRig
    {
      let rig = try CaptureRig(.camera(sizes: [size]), scene: Scene(seed: 11), faults: faults, preset: .photo)
      rig.session.addOutput(output)
      return rig
    }

    private func start(_ rig: CaptureRig) {
      rig.session.startRunning()
      // Auto exposure has settled by then.
      rig.advance(frames: 20)
    }

    private func take(_ settings: AVCapturePhotoSettings, _ rig: CaptureRig) throws -> AVCapturePhoto {
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings, delegate: delegate)
      // In little light a photo is fused of three.
      rig.advance(frames: 4)
      #expect(delegate.wait(for: count + 1))
      return try #require(delegate.photos.withLock { $0.last })
    }

    // MARK: Measures

    /// The means of red, green and blue in the middle tenth, from 0 to 1.
    private func patch(_ image: CGImage) throws -> [Double] {
      let width = image.width, height = image.height
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
      let pixels = try #require(buffer)
      CIContext().render(CIImage(cgImage: image), to: pixels)
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddress(pixels))
      var sums = [0.0, 0.0, 0.0]
      let columns = width * 9 / 20..<width * 11 / 20, rows = height * 9 / 20..<height * 11 / 20
      for row in rows {
        let line = base.advanced(by: row * CVPixelBufferGetBytesPerRow(pixels)).assumingMemoryBound(
          to: UInt8.self)
        for column in columns {
          for channel in 0..<3 { sums[channel] += Double(line[column * 4 + 2 - channel]) }
        }
      }
      return sums.map { $0 / Double(columns.count * rows.count) / 255 }
    }

    private func luma(_ rgb: [Double]) -> Double {
      0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
    }

    /// The mean of all entries of a file's quantisation tables.
    private func meanQuantizer(_ file: Data) throws -> Double {
      var entries: [Double] = []
      for segment in JPEGSegments(file) where segment.marker == 0xDB {
        var rest = file[segment.body]
        while let head = rest.popFirst() {
          let isWide = head >> 4 != 0
          for _ in 0..<64 {
            let high = isWide ? Int(rest.removeFirst()) << 8 : 0
            entries.append(Double(high + Int(rest.removeFirst())))
          }
        }
      }
      try #require(entries.count >= 64)
      return entries.reduce(0, +) / Double(entries.count)
    }

    private func jpeg(quality: Double? = nil) -> AVCapturePhotoSettings {
      var format: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]
      if let quality { format[AVVideoCompressionPropertiesKey] = [AVVideoQualityKey: quality] }
      return AVCapturePhotoSettings(format: format)
    }

    // MARK: Figures

    @Test func `50 frames come evenly, however late they arrive`() throws {
      let data = AVCaptureVideoDataOutput(), recorder = RecordingVideoDelegate()
      data.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "its"))
      let rig = try rig([SceneFault(.jitter(milliseconds: 8))])
      rig.session.addOutput(data)
      recorder.keepsBuffers.withLock { $0 = false }
      let times = Locked<[Double]>([])
      recorder.visit.set { sample in
        times.withLock { $0.append(sample.presentationTimeStamp.seconds * 1000) }
      }
      start(rig)
      rig.advance(frames: 40)
      let stamps = Array(times.withLock { $0 }.prefix(51))
      try #require(stamps.count == 51)
      let gaps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }
      let mean = gaps.reduce(0, +) / Double(gaps.count)
      let variance = gaps.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(gaps.count)
      #expect(variance < 0.01)
      #expect(gaps.allSatisfy { abs($0 - mean) < 0.3 })
      #expect(abs(mean - 1000.0 / 30) < 0.01)
    }

    @Test func `a burst of 15 photos is 15 frames in a row`() throws {
      let rig = try rig()
      start(rig)
      for _ in 0..<15 { output.capturePhoto(with: jpeg(), delegate: delegate) }
      rig.advance(frames: 17)
      #expect(delegate.wait(for: 15))
      #expect(delegate.errors.withLock { $0.isEmpty })
      let photos = delegate.photos.withLock { $0 }
      let times = photos.map(\.timestamp.seconds)
      let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
      try #require(gaps.count == 14)
      #expect(gaps.allSatisfy { $0 > 0 && $0 <= 1.1 / 30 }, "\(gaps)")
      #expect(Set(photos.compactMap(\.frameSequenceNumber)).count == 15)
    }

    @Test func `the same frame is as bright in YUV as in JPEG`() throws {
      let data = AVCaptureVideoDataOutput(), recorder = RecordingVideoDelegate()
      data.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "its"))
      let rig = try rig()
      rig.session.addOutput(data)
      let frames = Locked<[UInt32: [Double]]>([:])
      recorder.keepsBuffers.withLock { $0 = false }
      recorder.visit.set { sample in
        guard let buffer = sample.imageBuffer, let sequence = RecordingVideoDelegate.sequence(of: sample),
          let image = try? CGImage.make(of: buffer), let means = try? patch(image)
        else { return }
        frames.withLock { $0[sequence] = means }
      }
      start(rig)
      for settings in [jpeg(), AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])] {
        let photo = try take(settings, rig)
        let still = try patch(try #require(photo.cgImageRepresentation()))
        let sequence = try #require(photo.frameSequenceNumber)
        let frame = try #require(frames.withLock { $0[sequence] }, "the photo's frame was delivered")
        let squares = zip(still, frame).map { ($0 - $1) * ($0 - $1) }
        #expect((squares.reduce(0, +) / 3).squareRoot() < 0.01, "\(still) \(frame)")
      }
    }

    @Test func `each step of JPEG quality takes a fifth off the quantisers`() throws {
      let rig = try rig()
      start(rig)
      let means = try [0.25, 0.45, 0.65, 0.85].map { quality in
        try meanQuantizer(try #require(take(jpeg(quality: quality), rig).fileDataRepresentation()))
      }
      for (finer, coarser) in zip(means.dropFirst(), means) { #expect(finer <= 0.8 * coarser, "\(means)") }
      #expect(try meanQuantizer(try #require(take(jpeg(), rig).fileDataRepresentation())) < means[3])
    }

    @Test func `exposure bias raises the luma, step by step`() throws {
      let rig = try rig()
      start(rig)
      var lumas: [Double] = []
      for bias in stride(from: Float(-2), through: 2, by: 0.5) {
        try rig.device.lockForConfiguration()
        rig.device.setExposureTargetBias(bias)
        rig.device.unlockForConfiguration()
        // CameraITS, too, gives auto exposure eight frames.
        rig.advance(frames: 8)
        #expect(rig.device.exposureTargetBias == bias)
        lumas.append(luma(try patch(try #require(take(jpeg(), rig).cgImageRepresentation()))))
      }
      for (brighter, darker) in zip(lumas.dropFirst(), lumas) {
        #expect(brighter > darker + 0.01, "\(lumas)")
      }
      #expect(try #require(lumas.last) < 0.99)
    }

    @Test func `a bracket's photos are as bright as they were asked for, in a row`() throws {
      let rig = try rig()
      start(rig)
      let settings = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg],
        bracketedSettings: [-2, 0, 2].map {
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        })
      output.capturePhoto(with: settings, delegate: delegate)
      rig.advance(frames: 5)
      #expect(delegate.wait())
      #expect(delegate.errors.withLock { $0.isEmpty })
      let photos = delegate.photos.withLock { $0 }
      let lumas = try photos.map { luma(try patch(try #require($0.cgImageRepresentation()))) }
      try #require(lumas.count == 3)
      #expect(lumas[0] + 0.1 < lumas[1] && lumas[1] + 0.1 < lumas[2], "\(lumas)")
      let sequences = try photos.map { try #require($0.frameSequenceNumber) }
      #expect(sequences == [sequences[0], sequences[0] + 1, sequences[0] + 2])
      // The stream goes on as it was.
      let after = try take(jpeg(), rig)
      #expect(abs(luma(try patch(try #require(after.cgImageRepresentation()))) - lumas[1]) < 0.03)
    }

    @Test func `an automatic flash fires in the dark, and not in the light`() throws {
      for (lux, fires) in [(0.5, true), (500.0, false)] {
        let output = AVCapturePhotoOutput(), delegate = RecordingPhotoDelegate()
        let rig = try CaptureRig(.camera(), scene: Scene(seed: 11, lux: lux), preset: .photo)
        rig.session.addOutput(output)
        start(rig)
        let settings = jpeg()
        settings.flashMode = .auto
        output.photoSettingsForSceneMonitoring = settings
        #expect(output.isFlashScene == fires)
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 3)
        #expect(delegate.wait())
        let photo = try #require(delegate.photos.withLock { $0.first })
        #expect(photo.resolvedSettings.isFlashEnabled == fires)
        let exif = try #require(photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
        #expect(exif[kCGImagePropertyExifFlash as String] as? Int == (fires ? 25 : 24))
      }
    }

    @Test func `eight locked frames are alike`() throws {
      let rig = try rig()
      start(rig)
      try rig.device.lockForConfiguration()
      rig.device.exposureMode = .locked
      rig.device.whiteBalanceMode = .locked
      rig.device.focusMode = .locked
      rig.device.unlockForConfiguration()
      rig.advance(frames: 3)
      for _ in 0..<8 { output.capturePhoto(with: jpeg(), delegate: delegate) }
      rig.advance(frames: 10)
      #expect(delegate.wait(for: 8))
      let means = try delegate.photos.withLock { $0 }.map {
        try patch(try #require($0.cgImageRepresentation()))
      }
      try #require(means.count == 8)
      for channel in 0..<3 {
        let values = means.map { $0[channel] }
        let (least, most) = (try #require(values.min()), try #require(values.max()))
        #expect(most - least < 0.03 && least > 0.05, "\(values)")
      }
    }
  }
}
