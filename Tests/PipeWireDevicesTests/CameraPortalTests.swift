import AVFoundation
import BusStage
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import PipeWireDevices
import PipeWireStage
import Testing
import Waiting

private let canPlay = PrivatePipeWire.isInstalled && PrivateSessionBus.isInstalled

extension CaptureDeviceProvider {
  fileprivate func ask() async -> DeviceAccess {
    await withCheckedContinuation { continuation in
      requestAccess(for: .video) { continuation.resume(returning: $0) }
    }
  }
}

@Suite("The desktop's question for cameras", .enabled(if: canPlay))
struct CameraPortalTests {
  private func provider(_ portal: FakePortal) -> PipeWireDeviceProvider {
    PipeWireDeviceProvider(
      portal: CameraPortal(address: portal.bus.address, file: portal.file), includesOwn: true)
  }

  @Test func `a user who says yes gives the cameras, and is asked once`() async throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let source = try PaintedSource(pipewire)
    let desktop = try FakePortal(.yes, pipewire: pipewire)
    let provider = provider(desktop)
    #expect(provider.access(for: .video) == .undetermined)
    #expect(provider.devices().isEmpty && provider.absences.isEmpty)
    let changes = ListChanges(provider)
    #expect(await provider.ask() == .granted)
    #expect(provider.access(for: .video) == .granted)
    #expect(provider.devices().map(\.facts.name) == ["Painted"] || changes.wait(for: "+pipewire-painted"))
    #expect(await provider.ask() == .granted)
    #expect(desktop.questions.withLock { $0 } == 1)

    // The next process knows it without a question.
    let next = self.provider(desktop)
    #expect(next.access(for: .video) == .granted)
    let news = ListChanges(next)
    #expect(next.devices().map(\.facts.name) == ["Painted"] || news.wait(for: "+pipewire-painted"))
    #expect(desktop.questions.withLock { $0 } == 1)
    source.close()
  }

  @Test func `a user who says no is not asked again, and the sentence says where to change it`() async throws
  {
    let desktop = try FakePortal(.no)
    let provider = provider(desktop)
    #expect(await provider.ask() == .denied)
    #expect(provider.access(for: .video) == .denied && provider.devices().isEmpty)
    #expect(await provider.ask() == .denied)
    #expect(desktop.questions.withLock { $0 } == 1)
    let refusal = try #require(provider.absences.first)
    #expect(refusal.code == .permissionDenied && refusal.message.contains("under Privacy, Cameras"))
    #expect(provider.diagnose().obstacle == refusal.message)
    #expect(!FileManager.default.fileExists(atPath: desktop.file))
    // The next process asks again: a user who has changed the answer in the settings is believed.
    let next = self.provider(desktop)
    #expect(next.access(for: .video) == .undetermined && desktop.questions.withLock { $0 } == 1)
    desktop.willAnswer(.yes)
    #expect(await next.ask() == .granted)
  }

  @Test func `a desktop whose cameras are off for all programs has refused`() async throws {
    let desktop = try FakePortal(.locked)
    let provider = provider(desktop)
    #expect(await provider.ask() == .denied)
    #expect(provider.absences.first?.message.contains("under Privacy, Cameras") == true)
  }

  @Test func `cameras come back after PipeWire was started again`() async throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let source = try PaintedSource(pipewire)
    let desktop = try FakePortal(.yes, pipewire: pipewire)
    let provider = provider(desktop)
    let changes = ListChanges(provider)
    #expect(await provider.ask() == .granted)
    #expect(provider.devices().map(\.facts.name) == ["Painted"] || changes.wait(for: "+pipewire-painted"))
    let news = ListChanges(provider)
    pipewire.kill()
    #expect(news.wait(for: "-pipewire-painted"))
    source.close()
    try pipewire.start()
    let again = try PaintedSource(pipewire)
    #expect(news.wait(for: "+pipewire-painted"))
    again.close()
  }

  @Test func `a program is a snap's when it lies in the snap's folder`() {
    #expect(CameraPortal.isSnap("/snap/camera/12/usr/bin/camera", "/snap/camera/12"))
    #expect(CameraPortal.isSnap("/snap/camera/12/usr/bin/camera", "/snap/camera/12/"))
    #expect(!CameraPortal.isSnap("/usr/bin/obscura", "/snap/terminal/3"))
    #expect(!CameraPortal.isSnap("/snap/camera/123/camera", "/snap/camera/12"))
    #expect(!CameraPortal.isSnap("/usr/bin/obscura", nil) && !CameraPortal.isSnap("/usr/bin/obscura", ""))
  }

  @Test func `a question that ends without an answer may be asked again`() async throws {
    let desktop = try FakePortal(.ended)
    let provider = provider(desktop)
    #expect(await provider.ask() == .undetermined)
    #expect(provider.access(for: .video) == .undetermined && provider.absences.isEmpty)
    desktop.willAnswer(.no)
    #expect(await provider.ask() == .denied)
    #expect(desktop.questions.withLock { $0 } == 2)
  }

  @Test func `all that ask while the user thinks hear the one answer`() throws {
    let desktop = try FakePortal(.waits)
    let provider = provider(desktop)
    let answers = Monitor<[DeviceAccess]>([])
    for _ in 0..<2 {
      provider.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } }
    }
    #expect(desktop.wasAsked(1))
    #expect(provider.access(for: .video) == .undetermined)
    desktop.answer(.no)
    #expect(answers.wait(for: [.denied, .denied]))
    #expect(desktop.questions.withLock { $0 } == 1)
  }

  @Test func `a user who takes the permission back is obeyed`() async throws {
    let desktop = try FakePortal(.no)
    try FileManager.default.createDirectory(
      atPath: (desktop.file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try "granted\n".write(toFile: desktop.file, atomically: true, encoding: .utf8)
    let provider = provider(desktop)
    #expect(provider.access(for: .video) == .granted)
    #expect(provider.devices().isEmpty)
    #expect(provider.access(for: .video) == .denied)
    #expect(!FileManager.default.fileExists(atPath: desktop.file))
  }

  @Test func `without a desktop there is no answer, and the sentence says what to install`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)").path
    let provider = PipeWireDeviceProvider(
      portal: CameraPortal(address: "unix:path=/nowhere/at/all", file: file))
    #expect(await provider.ask() == .undetermined)
    #expect(provider.absences.first?.message.contains("xdg-desktop-portal") == true)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}

extension DeviceSuites {
  @Suite("AVCaptureDevice: the desktop's answer", .enabled(if: canPlay))
  struct PortalAuthorizationTests {
    @Test(arguments: [(FakePortal.Answer.yes, true), (.no, false)])
    func `a program reads and asks for the permission as on Apple's platforms`(
      _ answer: FakePortal.Answer, _ isAllowed: Bool
    ) async throws {
      let desktop = try FakePortal(answer)
      // That a place without devices allows all says nothing.
      CaptureDeviceProviders.install([
        PipeWireDeviceProvider(PipeWireServer(["PIPEWIRE_RUNTIME_DIR": "/nowhere"])),
        PipeWireDeviceProvider(portal: CameraPortal(address: desktop.bus.address, file: desktop.file)),
      ])
      defer { CaptureDeviceProviders.install(nil) }
      #expect(AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined)
      #expect(await AVCaptureDevice.requestAccess(for: .video) == isAllowed)
      #expect(AVCaptureDevice.authorizationStatus(for: .video) == (isAllowed ? .authorized : .denied))
      #expect(desktop.questions.withLock { $0 } == 1)
    }
  }
}
