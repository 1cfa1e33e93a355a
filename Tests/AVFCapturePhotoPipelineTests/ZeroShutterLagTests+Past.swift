import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

// Presses that are answered by the next exposure, because no frame of the past will do.
extension DeviceSuites.ZeroShutterLag {
  @Test func `flash, brackets and custom exposure take the next exposure`() throws {
    let (rig, _) = try rig()
    let newest = watch()
    rig.advance(frames: 2)
    var shown = try #require(newest.withLock { $0 })
    let flash = pixels
    flash.flashMode = .on
    #expect(try press(rig, flash, frames: 3) > shown)
    shown = try #require(newest.withLock { $0 })
    let bracket = AVCapturePhotoBracketSettings(
      rawPixelFormatType: 0, processedFormat: pixels.format,
      bracketedSettings: [
        AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: -1),
        AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 1),
      ])
    #expect(try press(rig, bracket, frames: 4) > shown)
    try rig.device.lockForConfiguration()
    rig.device.setExposureModeCustom(
      duration: CMTime(value: 1, timescale: 100), iso: 100, completionHandler: nil)
    rig.device.unlockForConfiguration()
    rig.advance(frames: 3)
    shown = try #require(newest.withLock { $0 })
    #expect(try press(rig, frames: 3) > shown)
  }

  @Test func `the frame that a flash lit is in no later photo`() throws {
    let (rig, _) = try rig()
    let flash = pixels
    flash.flashMode = .on
    let lit = try press(rig, flash, frames: 1)
    #expect(try press(rig, frames: 2) > lit)
    let photos = delegate.photos.withLock { $0 }
    #expect(photos.map { $0.controls?.isFlashed ?? false } == [true, false])
  }

  @Test func `a photo right after a change of the controls shows the change`() throws {
    let (rig, _) = try rig()
    let newest = watch()
    rig.advance(frames: 1)
    let shown = try #require(newest.withLock { $0 })
    try rig.device.lockForConfiguration()
    rig.device.setExposureTargetBias(2, completionHandler: nil)
    rig.device.videoZoomFactor = 2
    rig.device.unlockForConfiguration()
    #expect(try press(rig, frames: 3) > shown)
    let photo = try #require(delegate.photos.withLock { $0.last })
    let controls = try #require(photo.controls)
    #expect(controls.exposureBias == 2 && controls.zoom == 2)
    // Once the viewfinder shows it, photos are of the past again.
    let nowShown = newest.withLock { $0 }
    let number = try press(rig)
    #expect(number == nowShown)
  }

  @Test func `a single photo of another size than the stream's takes the next exposure in that size`()
    throws
  {
    var model = SimulatedDeviceModel.camera(stillSizes: [Self.small, Self.large])
    model.facts.capabilities.recalledFrames = 0
    let (rig, _) = try rig(model)
    output.isHighResolutionCaptureEnabled = true
    let newest = watch()
    rig.advance(frames: 1)
    let shown = try #require(newest.withLock { $0 })
    let settings = pixels
    settings.isHighResolutionPhotoEnabled = true
    #expect(try press(rig, settings, frames: 3) > shown)
    let photo = try #require(delegate.photos.withLock { $0.last })
    let picture = try #require(photo.pixelBuffer)
    #expect(CVPixelBufferGetWidth(picture) == 320)
  }
}
