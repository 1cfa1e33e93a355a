import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import StillCodecs
import Testing

extension DeviceSuites {
  @Suite("AVCaptureStillImageOutput")
  struct StillImageOutput {
    private struct Still: Sendable {
      let sample: CMSampleBuffer?
      let bracket: AVCaptureBracketedStillImageSettings?
      let error: (any Error)?
    }

    private final class Stage {
      let rig: CaptureRig
      let output = AVCaptureStillImageOutput()
      let stills = Monitor<[Still]>([])

      init(lux: Double = 250) throws {
        rig = try CaptureRig(
          .camera(uniqueID: "still.image", sizes: [FrameSize(width: 320, height: 240)]),
          scene: Scene(lux: lux, isStamped: false, isNoisy: lux < 250), preset: .photo)
        rig.session.addOutput(output)
        rig.session.startRunning()
        // In little light the exposure takes a while to settle.
        rig.advance(frames: lux < 250 ? 40 : 3)
      }

      var connection: AVCaptureConnection {
        get throws { try #require(output.connection(with: .video)) }
      }

      func wait(for count: Int) -> [Still] {
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
        return stills.wait(until: deadline, for: { $0.count >= count }, then: { $0 }) ?? []
      }

      func take(frames: Int = 3) throws -> Still {
        let count = stills.withLock { $0.count }
        output.captureStillImageAsynchronously(from: try connection) { [stills] sample, error in
          stills.withLock { $0.append(Still(sample: sample, bracket: nil, error: error)) }
        }
        rig.advance(frames: frames)
        return try #require(wait(for: count + 1).last)
      }
    }

    @Test func `takes a JPEG with its metadata in one call`() throws {
      let stage = try Stage()
      #expect(stage.output.availableImageDataCodecTypes == [.jpeg])
      #expect(stage.output.outputSettings[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
      let changes = Locked<[Bool]>([])
      let observation = stage.output.observe(\.isCapturingStillImage, options: .new) { _, change in
        if let value = change.newValue { changes.withLock { $0.append(value) } }
      }
      let sample = try #require(try stage.take().sample)
      let file = try #require(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample))
      let facts = try StillFacts(file)
      #expect(facts.format == .jpeg && facts.width == 320 && facts.height == 240)
      #expect(facts.exifBlock?[ExifTag(.exif, 0x829A)] != nil)
      #expect(changes.withLock { $0 } == [true, false])
      #expect(!stage.output.isCapturingStillImage && !stage.output.isStillImageStabilizationActive)
      observation.invalidate()
    }

    @Test func `takes uncompressed pictures in the format that was asked for`() throws {
      let stage = try Stage()
      let format = kCVPixelFormatType_32BGRA
      #expect(stage.output.availableImageDataCVPixelFormatTypes.contains(NSNumber(value: format)))
      stage.output.outputSettings = [kCVPixelBufferPixelFormatTypeKey as String: format]
      let sample = try #require(try stage.take().sample)
      #expect(sample.imageBuffer.map(CVPixelBufferGetPixelFormatType) == format)
      #expect(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample) == nil)
      stage.output.outputSettings = [AVVideoCodecKey: AVVideoCodecType.proRes422]
      let mistakes = ProgrammingMistake.collect { #expect((try? stage.take())?.error != nil) }
      #expect(!mistakes.isEmpty)
    }

    @Test func `takes brackets, each picture with its settings`() throws {
      let stage = try Stage()
      let settings = [-1, 0, 1].map {
        AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
      }
      #expect(stage.output.maxBracketedCaptureStillImageCount >= 3)
      #expect(!stage.output.isLensStabilizationDuringBracketedCaptureSupported)
      let prepared = Monitor<Bool?>(nil)
      stage.output.prepareToCaptureStillImageBracket(from: try stage.connection, withSettingsArray: settings)
      {
        isPrepared, _ in
        prepared.withLock { $0 = isPrepared }
      }
      stage.rig.advance(frames: 1)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      #expect(prepared.wait(until: deadline, for: { $0 != nil }, then: { $0 }) == true)
      stage.output.captureStillImageBracketAsynchronously(
        from: try stage.connection, withSettingsArray: settings
      ) { [stills = stage.stills] sample, bracket, error in
        stills.withLock { $0.append(Still(sample: sample, bracket: bracket, error: error)) }
      }
      stage.rig.advance(frames: 12)
      let stills = stage.wait(for: 3)
      #expect(stills.count == 3 && stills.allSatisfy { $0.sample != nil })
      #expect(zip(stills, settings).allSatisfy { $0.bracket === $1 })
    }

    @Test func `is not beside a photo output, and takes nothing from a connection of another`() throws {
      let stage = try Stage()
      #expect(!stage.rig.session.canAddOutput(AVCapturePhotoOutput()))
      let other = AVCaptureVideoDataOutput()
      stage.rig.session.addOutput(other)
      let connection = try #require(other.connection(with: .video))
      let mistakes = ProgrammingMistake.collect {
        stage.output.captureStillImageAsynchronously(from: connection) {
          [stills = stage.stills] sample, error in
          stills.withLock { $0.append(Still(sample: sample, bracket: nil, error: error)) }
        }
      }
      #expect(mistakes.count == 1)
      let still = try #require(stage.wait(for: 1).last)
      #expect(still.sample == nil && still.error != nil)
      stage.rig.session.removeOutput(stage.output)
      #expect(stage.output.connections.isEmpty && stage.output.availableImageDataCodecTypes.isEmpty)
      #expect(stage.rig.session.canAddOutput(AVCapturePhotoOutput()))
    }

    @Test func `a session that stops ends what was asked for with an error`() throws {
      let stage = try Stage()
      stage.output.captureStillImageAsynchronously(from: try stage.connection) {
        [stills = stage.stills] sample, error in
        stills.withLock { $0.append(Still(sample: sample, bracket: nil, error: error)) }
      }
      stage.rig.session.stopRunning()
      let still = try #require(stage.wait(for: 1).last)
      #expect((still.sample == nil) == (still.error != nil))
    }

    @Test func `in little light several frames make a photo, unless that is switched off`() throws {
      let stage = try Stage(lux: 2)
      let changes = Locked<[Bool]>([])
      let observation = stage.output.observe(\.isStillImageStabilizationActive, options: .new) { _, change in
        if let value = change.newValue { changes.withLock { $0.append(value) } }
      }
      #expect(stage.output.isStillImageStabilizationSupported)
      #expect(try stage.take(frames: 12).sample != nil)
      #expect(changes.withLock { $0 } == [true, false])
      stage.output.automaticallyEnablesStillImageStabilizationWhenAvailable = false
      #expect(try stage.take(frames: 12).sample != nil)
      #expect(changes.withLock { $0 } == [true, false])
      observation.invalidate()
    }

    @Test func `sizes and stabilization are the photo output's`() throws {
      let stage = try Stage()
      #expect(stage.output.automaticallyEnablesStillImageStabilizationWhenAvailable)
      #expect(stage.output.isStillImageStabilizationSupported)
      #expect(!stage.output.isHighResolutionStillImageOutputEnabled)
      stage.output.isHighResolutionStillImageOutputEnabled = true
      stage.output.automaticallyEnablesStillImageStabilizationWhenAvailable = false
      #expect(try stage.take().sample != nil)
      let mistakes = ProgrammingMistake.collect {
        stage.output.isLensStabilizationDuringBracketedCaptureEnabled = true
      }
      #expect(mistakes.count == 1 && !stage.output.isLensStabilizationDuringBracketedCaptureEnabled)
    }
  }
}
