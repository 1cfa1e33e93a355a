import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import ImageIO
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites.FusedPhotos {
  /// Half a lux: four stops less than the camera needs at the stream's rate.
  private static let night = 0.5

  private func exif(_ photo: AVCapturePhoto, _ key: CFString) -> Any? {
    (photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])?[key as String]
  }

  private func mean(_ photo: AVCapturePhoto) throws -> Double {
    let luma = try luma(photo)
    return luma.reduce(0, +) / Double(luma.count)
  }

  @Test func `in the dark the shutter is open for longer, and what it saw can be seen`() throws {
    let rig = try rig(lux: Self.night)
    let plain = try take(rig, settings(.speed))
    for (quality, count) in [(AVCapturePhotoOutput.QualityPrioritization.balanced, 3), (.quality, 8)] {
      let photo = try take(rig, settings(quality), frames: 90)
      #expect(frames(photo) == [count, count])
      #expect(exif(photo, kCGImagePropertyExifExposureTime) as? Double == 0.25)
      // Chosen by the camera, not by hand.
      #expect(exif(photo, kCGImagePropertyExifExposureMode) as? Int == 0)
      #expect(try mean(photo) > 2 * mean(plain))
    }
  }

  @Test func `meanwhile the output waits for the capture, and the time that was named covers it`() throws {
    let rig = try rig(lux: Self.night)
    let settings = settings(.quality)
    output.capturePhoto(with: settings, delegate: delegate)
    rig.advance(frames: 20)
    #expect(output.captureReadiness == .notReadyWaitingForCapture)
    rig.advance(frames: 70)
    try #require(delegate.wait(for: 1))
    rig.clock.settle()
    #expect(output.captureReadiness == .ready)
    let photo = try #require(delegate.photos.withLock { $0.first })
    #expect(photo.resolvedSettings.photoProcessingTimeRange.start.seconds >= 2)
  }

  @Test func `with zero shutter lag a photo in the dark is of the time after the press`() throws {
    let rig = try rig(lux: Self.night, isLagging: false)
    let newest = try #require(output.stillSource?.deliveredFrames)
    let photo = try take(rig, settings(.balanced), frames: 90)
    #expect(exif(photo, kCGImagePropertyExifExposureTime) as? Double == 0.25)
    #expect(Int(try #require(photo.frameSequenceNumber)) >= newest)
  }

  @Test func `while a movie is recorded a photo does not delay its frames`() throws {
    let rig = try rig(lux: Self.night)
    let (movies, log) = (AVCaptureMovieFileOutput(), RecordingLog())
    rig.session.sessionPreset = .high
    rig.session.addOutput(movies)
    rig.advance(frames: 40)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov")
    defer { try? FileManager.default.removeItem(at: url) }
    movies.startRecording(to: url, recordingDelegate: log)
    rig.advance(frames: 3)
    rig.clock.settle()
    #expect(movies.isRecording)
    let photo = try take(rig, settings(.quality), frames: 20)
    #expect(frames(photo) == [8, 8])
    #expect(try #require(exif(photo, kCGImagePropertyExifExposureTime) as? Double) < 0.04)
    movies.stopRecording()
    rig.advance(frames: 3)
    rig.clock.settle()
    #expect(!movies.isRecording)
    let after = try take(rig, settings(.quality), frames: 90)
    #expect(exif(after, kCGImagePropertyExifExposureTime) as? Double == 0.25)
  }

  @Test func `an exposure that the client chose stays, and so does its longest one`() throws {
    let rig = try rig(lux: Self.night)
    let device = rig.device
    try device.lockForConfiguration()
    device.exposureMode = .locked
    rig.advance(frames: 5)
    let locked = try take(rig, settings(.quality))
    #expect(try #require(exif(locked, kCGImagePropertyExifExposureTime) as? Double) < 0.04)
    device.exposureMode = .continuousAutoExposure
    device.activeMaxExposureDuration = CMTime(value: 1, timescale: 10)
    rig.advance(frames: 40)
    let bounded = try take(rig, settings(.quality), frames: 60)
    #expect(exif(bounded, kCGImagePropertyExifExposureTime) as? Double == 0.1)
  }
}
