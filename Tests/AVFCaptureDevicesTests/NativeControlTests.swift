import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import Testing

extension DeviceSuites {
  @Suite("AVCaptureDevice: the driver's own controls")
  struct NativeControlTests {
    /// A camera with one control of its own.
    final class Lamp: CaptureDeviceDriver, NativeControls {
      let facts: DeviceFacts
      private let level = Locked<Int64>(2)

      init(_ uniqueID: String) {
        facts = DeviceFacts(
          uniqueID: uniqueID, modelID: "lamp", name: "Lamp", manufacturer: "", kind: .externalCamera,
          position: .unspecified, media: [.video], formats: [])
      }

      func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream {
        throw CaptureDeviceError(.noFrames, "Lamp sends nothing; use another camera.")
      }

      func nativeControls() throws(CaptureDeviceError) -> [NativeControl] {
        [
          NativeControl(
            name: "level", title: "Level", kind: .integer, range: 0...9, value: .number(level.withLock { $0 })
          )
        ]
      }

      func setNativeControl(
        _ name: String, to value: NativeControlValue
      ) throws(CaptureDeviceError) -> NativeControl {
        guard name == "level", case .number(let number) = value, number < 10 else {
          throw CaptureDeviceError(
            .controlUnsupported, "Lamp cannot set \(name) to \(value): it takes 0 to 9.")
        }
        level.withLock { $0 = number }
        return try nativeControls()[0]
      }
    }

    @Test func `they are listed, and set by name under the lock`() throws {
      let lamp = Lamp("lamp.\(UUID().uuidString)")
      CaptureDeviceProviders.install([OneCamera(lamp, name: "lamps")])
      defer { CaptureDeviceProviders.install(nil) }
      let device = try #require(AVCaptureDevice(uniqueID: lamp.facts.uniqueID))
      #expect(try device.nativeControls().map(\.name) == ["level"])
      let mistakes = ProgrammingMistake.collect { _ = try? device.setNativeControl("level", to: .number(5)) }
      #expect(mistakes.count == 1)
      #expect(try device.nativeControls()[0].value == .number(2))
      try device.lockForConfiguration()
      defer { device.unlockForConfiguration() }
      #expect(try device.setNativeControl("level", to: .number(5))?.value == .number(5))
      let error = #expect(throws: AVError.self) { try device.setNativeControl("level", to: .number(12)) }
      #expect(error?.localizedDescription.contains("it takes 0 to 9") == true)
      #expect(error?.device === device)
    }

    @Test func `a camera without any has an empty list, and refuses`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      #expect(try camera.nativeControls().isEmpty)
      try camera.lockForConfiguration()
      defer { camera.unlockForConfiguration() }
      #expect(throws: AVError.self) { try camera.setNativeControl("brightness", to: .number(1)) }
    }
  }
}
