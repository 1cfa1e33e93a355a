import CaptureDevice
import Foundation
import Linux
import Testing

import OpenNIDevices

@Suite("Depth cameras of OpenNI that come and go")
struct PluggingTests {
  private let noBus = DepthCameraBus(folder: "/nowhere", nodes: "/nowhere")

  /// The changes that a provider reports, in words.
  private final class Changes: Sendable {
    private let words = Monitor<[String]>([])

    var observer: @Sendable (DeviceListChange) -> Void {
      { [words] change in
        let word =
          switch change {
          case .connected(let device): "+\(device.facts.uniqueID)"
          case .disconnected(let id): "-\(id)"
          }
        words.withLock { $0.append(word) }
      }
    }

    func wait(for count: Int) -> [String]? {
      words.wait(
        until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count >= count }, then: { $0 })
    }
  }

  @Test func `one that is pulled out ends its stream with that error, and is not listed`() throws {
    let library = ScriptedSensors()
    let provider = OpenNIDeviceProvider(library, noBus)
    let changes = Changes()
    provider.observeDevices(changes.observer)
    let camera = try #require(provider.devices().first)
    let stream = try camera.openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    #expect(log.wait { $0.maps.count >= 2 } != nil)
    library.unplug("1d27/0601@1/5")
    let end = try #require(log.wait { $0.failure != nil })
    #expect(end.failure?.code == .disconnected)
    #expect(end.failure?.message == "Carmine was unplugged; plug it in again.")
    #expect(changes.wait(for: 1) == ["-openni-1d27:0601-1234"])
    #expect(provider.devices().isEmpty)
    let error = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
    #expect(error?.code == .disconnected)
  }

  @Test func `one that is pulled out while another is opened is reported without a wait for that`() throws {
    let library = ScriptedSensors()
    let provider = OpenNIDeviceProvider(library, noBus)
    let changes = Changes()
    provider.observeDevices(changes.observer)
    let first = try #require(provider.devices().first)
    var second = ScriptedCamera()
    second.listed.uri = "1d27/0601@1/6"
    second.serialNumber = "5678"
    let uri = second.listed.uri
    // Whether the report was over while the second was opened; OpenNI makes it under a lock that opening needs.
    let isOver = Monitor<Bool?>(nil)
    library.whileOpening { opened in
      guard opened == uri, isOver.withLock({ $0 }) == nil else { return }
      let hasReported = Monitor(false)
      Thread.detachNewThread {
        library.unplug("1d27/0601@1/5")
        hasReported.withLock { $0 = true }
      }
      let inTime = hasReported.wait(
        until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 }, then: { $0 })
      isOver.withLock { $0 = inTime ?? false }
    }
    library.plug(second)
    #expect(changes.wait(for: 2)?.sorted() == ["+openni-1d27:0601-5678", "-openni-1d27:0601-1234"])
    #expect(isOver.withLock { $0 } == true)
    let error = #expect(throws: CaptureDeviceError.self) { try first.openWithDepth() }
    #expect(error?.code == .disconnected)
    provider.observeDevices(nil)
  }

  @Test func `one that is plugged in is reported, and has its identifier at every port`() throws {
    let library = ScriptedSensors([])
    let provider = OpenNIDeviceProvider(library, noBus)
    let changes = Changes()
    provider.observeDevices(changes.observer)
    var camera = ScriptedCamera()
    library.plug(camera)
    #expect(changes.wait(for: 1) == ["+openni-1d27:0601-1234"])
    library.unplug(camera.listed.uri)
    #expect(changes.wait(for: 2)?.last == "-openni-1d27:0601-1234")
    camera.listed.uri = "1d27/0601@2/9"
    library.plug(camera)
    #expect(changes.wait(for: 3)?.last == "+openni-1d27:0601-1234")
    provider.observeDevices(nil)
  }

  @Test func `one that comes while another thread has an older list stays the camera that was reported`()
    throws
  {
    let library = ScriptedSensors([])
    let provider = OpenNIDeviceProvider(library, noBus)
    let changes = Changes()
    provider.observeDevices(changes.observer)
    library.delayListing {
      library.plug(ScriptedCamera())
      _ = changes.wait(for: 1)
    }
    #expect(provider.devices().map(\.facts.uniqueID) == ["openni-1d27:0601-1234"])
    #expect(library.calls.count { $0 == "open" } == 1, "it is no other camera")
    #expect(changes.wait(for: 1) == ["+openni-1d27:0601-1234"])
    provider.observeDevices(nil)
  }

  @Test
  func `one that refuses to be opened is not listed, says why, and comes when it lets itself be opened`()
    throws
  {
    var camera = ScriptedCamera()
    camera.refusal = "Failed to set USB interface"
    let library = ScriptedSensors([camera])
    let provider = OpenNIDeviceProvider(library, noBus)
    #expect(provider.devices().isEmpty)
    #expect(provider.absences.map(\.code) == [.deviceBusy])
    #expect(provider.absences[0].message.contains("Failed to set USB interface"))
    camera.refusal = nil
    library.plug(camera)
    #expect(provider.devices().count == 1 && provider.absences.isEmpty)
  }

  @Test func `one without colours is no camera, and says so`() {
    var camera = ScriptedCamera()
    camera.color = []
    let provider = OpenNIDeviceProvider(ScriptedSensors([camera]), noBus)
    #expect(provider.devices().isEmpty)
    #expect(provider.absences.map(\.message).first?.contains("has no colours") == true)
  }

  @Test func `a machine without the library has no such camera, and one sentence that says what to install`()
  {
    let provider = OpenNIDeviceProvider(ScriptedSensors(obstacle: "libOpenNI2.so.0: cannot open"), noBus)
    provider.observeDevices { _ in }
    #expect(provider.devices().isEmpty && provider.watchFailure == nil)
    #expect(
      provider.absences.map(\.message) == [
        "OpenNI's depth cameras and recordings cannot be used, because its library cannot (libOpenNI2.so.0: cannot open); install the package libopenni2-0."
      ])
  }
}
