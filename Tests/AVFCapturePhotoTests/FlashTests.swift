import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import ImageIO
import Linux
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Flash")
  struct Flash {
    private func settings(_ mode: AVCaptureDevice.FlashMode) -> AVCapturePhotoSettings {
      let settings = AVCapturePhotoSettings()
      settings.flashMode = mode
      return settings
    }

    private func flashTag(_ photo: AVCapturePhoto) throws -> Int {
      let exif = try #require(photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
      return try #require(exif[kCGImagePropertyExifFlash as String] as? Int)
    }

    @Test(arguments: [
      (AVCaptureDevice.FlashMode.off, true, false, 16), (.on, false, true, 9), (.auto, true, true, 25),
      (.auto, false, false, 24),
    ])
    func `the flash fires as asked, and settings, device and file agree`(
      mode: AVCaptureDevice.FlashMode, isDark: Bool, fires: Bool, tag: Int
    ) throws {
      let stage = try ScriptedStage()
      stage.camera.setDark(isDark)
      stage.press(settings(mode))
      #expect(stage.camera.requests.map(\.flash) == [fires ? .on : .off])
      stage.camera.expose()
      #expect(stage.delegate.wait())
      let photo = try #require(stage.delegate.photos.withLock { $0.first })
      #expect(photo.resolvedSettings.isFlashEnabled == fires)
      #expect(try flashTag(photo) == tag)
    }

    @Test func `what the camera's flash can do is what photos may ask for`() throws {
      #expect(AVCapturePhotoOutput().supportedFlashModes == [.off])
      let stage = try ScriptedStage()
      #expect(stage.output.supportedFlashModes == [.off, .on, .auto])
      #expect(stage.output.__supportedFlashModes == [0, 1, 2])
      let simple = try ScriptedStage { $0.flashModes = [.on] }
      #expect(simple.output.supportedFlashModes == [.off, .on])
      #expect(try #require(simple.mistake(settings(.auto))).contains("supportedFlashModes"))
    }

    @Test func `a camera without a flash says so in the file`() throws {
      let stage = try ScriptedStage { $0.flashModes = [] }
      #expect(stage.output.supportedFlashModes == [.off])
      #expect(stage.mistake(settings(.on)) != nil)
      stage.press(settings(.off))
      stage.camera.expose()
      #expect(stage.delegate.wait(for: 2))
      let photo = try #require(stage.delegate.photos.withLock { $0.last })
      #expect(try flashTag(photo) == 32)
    }

    // MARK: The scene

    @Test func `the scene wants a flash when it is dark and it was asked for`() throws {
      let stage = try ScriptedStage()
      let values = Locked<[Bool?]>([])
      let observation = stage.output.observe(\.isFlashScene, options: .new) { _, change in
        values.withLock { $0.append(change.newValue) }
      }
      stage.camera.setDark(true)
      #expect(stage.output.photoSettingsForSceneMonitoring == nil)
      #expect(!stage.output.isFlashScene)
      stage.output.photoSettingsForSceneMonitoring = settings(.auto)
      #expect(stage.output.isFlashScene)
      stage.camera.setDark(false)
      #expect(!stage.output.isFlashScene)
      stage.camera.setDark(true)
      stage.output.photoSettingsForSceneMonitoring = settings(.off)
      #expect(!stage.output.isFlashScene)
      stage.settle()
      #expect(values.withLock { $0.count } == 4)
      #expect(values.withLock { $0 }.filter { $0 == true }.count == 2)
      #expect(values.withLock { $0 }.filter { $0 == false }.count == 2)
      observation.invalidate()
    }

    @Test func `the settings that are watched for are a copy`() throws {
      let output = AVCapturePhotoOutput()
      let mine = settings(.auto)
      output.photoSettingsForSceneMonitoring = mine
      mine.flashMode = .off
      #expect(output.photoSettingsForSceneMonitoring?.flashMode == .auto)
      #expect(!output.isFlashScene)
    }

    @Test func `no flash, no scene for it`() throws {
      let stage = try ScriptedStage { $0.flashModes = [] }
      stage.camera.setDark(true)
      stage.output.photoSettingsForSceneMonitoring = settings(.auto)
      #expect(!stage.output.isFlashScene)
    }

    @Test func `observers hear when a camera with a flash is connected`() throws {
      let stage = try ScriptedStage()
      let modes = Monitor<[[AVCaptureDevice.FlashMode]]>([])
      let counts = Monitor<[Int]>([])
      let observations = [
        stage.output.observe(\.supportedFlashModes, options: .new) { _, change in
          modes.withLock { $0.append(change.newValue ?? []) }
        },
        stage.output.observe(\.maxBracketedCapturePhotoCount, options: .new) { _, change in
          counts.withLock { $0.append(change.newValue ?? -1) }
        },
      ]
      stage.session.removeOutput(stage.output)
      stage.session.addOutput(stage.output)
      let soon = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      #expect(modes.wait(until: soon, for: { $0.count == 2 }, then: { $0 }) == [[.off], [.off, .on, .auto]])
      #expect(counts.wait(until: soon, for: { $0.count == 2 }, then: { $0.first }) == 0)
      for observation in observations { observation.invalidate() }
    }
  }
}
