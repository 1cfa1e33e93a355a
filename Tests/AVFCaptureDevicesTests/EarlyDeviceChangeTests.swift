import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import Testing

extension DeviceSuites {
  @Suite("AVCaptureDevice: what changes while the list of devices is made")
  struct EarlyDeviceChangeTests {
    private typealias Lamp = NativeControlTests.Lamp

    /// Tells of changes after it has made its list, and before it returns it.
    private final class SlowList: CaptureDeviceProvider {
      let name = "slow"
      private let list: [any CaptureDeviceDriver]
      private let changes: [DeviceListChange]
      private let observer = Locked<(@Sendable (DeviceListChange) -> Void)?>(nil)

      init(_ list: [any CaptureDeviceDriver], then changes: [DeviceListChange]) {
        self.list = list
        self.changes = changes
      }

      func devices() -> [any CaptureDeviceDriver] {
        let tell = observer.withLock { $0 }
        for change in changes { tell?(change) }
        return list
      }

      func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
        self.observer.withLock { $0 = observer }
      }

      func access(for media: MediaKind) -> DeviceAccess { .granted }

      func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
        completion(.granted)
      }
    }

    /// The identifiers of the cameras that are there with a provider that tells of `changes` while it is asked for `list`.
    private func present(_ list: [Lamp], then changes: [DeviceListChange]) -> [String] {
      CaptureDeviceProviders.install([SlowList(list, then: changes)])
      defer { CaptureDeviceProviders.install(nil) }
      let search = AVCaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .video, position: .unspecified)
      return search.devices.map(\.uniqueID)
    }

    private let one = Lamp("lamp.\(UUID().uuidString)")
    private let other = Lamp("lamp.\(UUID().uuidString)")

    @Test func `a camera that is plugged in meanwhile is there`() {
      #expect(present([one], then: [.connected(other)]) == [one.facts.uniqueID, other.facts.uniqueID])
    }

    @Test func `a camera that is announced and also listed is there once`() {
      let found = present([one, other], then: [.connected(other)])
      #expect(found == [one.facts.uniqueID, other.facts.uniqueID])
    }

    @Test func `a camera that is unplugged meanwhile is not there`() {
      let gone = DeviceListChange.disconnected(uniqueID: one.facts.uniqueID)
      #expect(present([one, other], then: [gone]) == [other.facts.uniqueID])
      #expect(present([], then: [.connected(one), gone]) == [])
    }
  }
}
