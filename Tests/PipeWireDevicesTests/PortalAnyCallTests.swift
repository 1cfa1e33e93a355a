import BusStage
import CaptureDevice
import Linux
import PipeWireDevices
import PipeWireStage
import SeededNumbers
import Testing
import Waiting

/// A program asks the desktop for its cameras and opens them, while any one of the bus's messages is another than expected.
@Suite(
  "The desktop's question for cameras: any answer of the bus",
  .enabled(if: PrivatePipeWire.isInstalled && PrivateSessionBus.isInstalled))
struct PortalAnyCallTests {
  /// The end of a story.
  private enum End: Equatable {
    case cameras
    /// There are none, and a sentence says why.
    case refused(String)
  }

  private func story(_ desktop: FakePortal, _ proxy: BusProxy) throws -> End {
    let portal = CameraPortal(address: proxy.address, file: desktop.file)
    let answers = Monitor<[DeviceAccess]>([])
    portal.ask { access in answers.withLock { $0.append(access) } }
    #expect(answers.wait { !$0.isEmpty }, "no answer")
    guard answers.now == [.granted] else { return .refused(try #require(portal.refusal).message) }
    do throws(CaptureDeviceError) {
      _ = Descriptor(adopting: try portal.remote())
      return .cameras
    } catch {
      return .refused(error.message)
    }
  }

  @Test(arguments: BusProxy.Fault.allCases)
  func `each is survived or said, and the next question is answered`(fault: BusProxy.Fault) throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let desktop = try FakePortal(.yes, pipewire: pipewire)
    let proxy = try BusProxy(desktop.bus)
    proxy.trap()
    #expect(try story(desktop, proxy) == .cameras)
    let count = proxy.count
    let tried = min(count, FuzzCount(usual: 6, all: count).value)
    for number in Set((0..<tried).map { $0 * count / tried + 1 }).sorted() {
      proxy.trap(number, fault)
      if case .refused(let sentence) = try story(desktop, proxy) {
        #expect(sentence.hasSuffix("."), "\(fault) at answer \(number): \(sentence)")
      }
      proxy.trap()
      #expect(
        try story(desktop, proxy) == .cameras, "\(fault) at answer \(number): the next start has no cameras")
    }
  }
}
