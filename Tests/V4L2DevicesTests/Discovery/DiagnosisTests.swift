import CaptureDevice
import Foundation
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: what is wrong with the cameras")
struct DiagnosisTests {
  func findings(_ kernel: ScriptedKernel) -> [CameraFinding] {
    V4L2DeviceProvider(kernel: kernel).diagnose()
  }

  @Test func `without a camera there is nothing to say`() {
    #expect(findings(ScriptedKernel()).isEmpty)
  }

  @Test func `a free camera is no trouble, and looking at it leaves nothing behind`() {
    let kernel = ScriptedKernel([.webcam()])
    #expect(findings(kernel).isEmpty)
    #expect(kernel.openCount == 0 && kernel.device("/dev/video0") { $0.owner == nil } == true)
  }

  @Test func `a busy camera is reported with who has it, one that is only open is not`() throws {
    let kernel = ScriptedKernel([.webcam()])
    kernel.state.withLock { $0.holders = [DeviceHolder(process: 4711, name: "cheese")] }
    let open = try #require(findings(kernel).first)
    #expect(!open.isTrouble && open.code == nil)
    #expect(open.sentence.contains("cheese (process 4711), which does not stream"))
    // Another program's opening has the buffers.
    let other = try kernel.open("/dev/video0")
    _ = try kernel.requestBuffers(other, count: 2)
    let busy = try #require(findings(kernel).first)
    #expect(busy.isTrouble && busy.code == .deviceBusy && busy.uniqueID == "usb-046d:0825-A1")
    #expect(
      busy.sentence
        == "Webcam (/dev/video0) cannot be used: cheese (process 4711) uses it; close that program and try again."
    )
    kernel.state.withLock { $0.holders = [] }
    #expect(try #require(findings(kernel).first).sentence.contains("sudo fuser -v /dev/video0"))
    kernel.close(other)
    #expect(findings(kernel).isEmpty)
  }

  @Test func `a depth node that another program has is reported, and the camera's pictures can be used`()
    throws
  {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    func troubles() -> [CameraFinding] { findings(kernel).filter(\.isTrouble) }
    #expect(troubles().isEmpty)
    kernel.state.withLock { $0.holders = [DeviceHolder(process: 4711, name: "viewer")] }
    let other = try kernel.open("/dev/video0")
    _ = try kernel.requestBuffers(other, count: 2)
    let trouble = try #require(troubles().first)
    #expect(troubles().count == 1 && trouble.code == nil)
    #expect(
      trouble.sentence.contains(
        "(/dev/video0) cannot measure depth: viewer (process 4711) uses it; close that program and try again."
      ))
    kernel.close(other)
    #expect(troubles().isEmpty)
  }

  @Test func `a camera that this program streams from is no trouble`() throws {
    let kernel = ScriptedKernel([.webcam()])
    let provider = V4L2DeviceProvider(kernel: kernel)
    let stream = try provider.cameras()[0].open()
    kernel.state.withLock { $0.holders = [DeviceHolder(process: getpid(), name: "self")] }
    #expect(provider.diagnose().isEmpty)
    withExtendedLifetime(stream) {}
  }

  @Test(arguments: [
    (EACCES, NodeAccess(group: "video"), "join the group that owns it ('sudo usermod -aG video $USER')"),
    (EACCES, NodeAccess(group: "camera"), "usermod -aG camera"),
    (EACCES, NodeAccess(group: "video", hasJoinedSinceLogin: true), "log out and in again"),
    (EACCES, NodeAccess(), "udev rule"),
    (EPERM, NodeAccess(group: "video"), "--device /dev/video0"),
  ])
  func `a forbidden camera says whom it is for and what to do`(
    _ errno: Int32, _ access: NodeAccess, _ words: String
  ) throws {
    let kernel = ScriptedKernel([.webcam()])
    kernel.state.withLock { $0.access = access }
    kernel.force(.open, errno)
    let finding = try #require(findings(kernel).first)
    #expect(finding.code == .permissionDenied && finding.subject == .nodes)
    #expect(finding.sentence.contains(words), "\(finding.sentence)")
    #expect(finding.sentence.hasSuffix("."))
  }

  @Test func `a camera that vanishes between listing and opening is gone, for the doctor and for a stream`()
    throws
  {
    let kernel = ScriptedKernel([.webcam()])
    let provider = V4L2DeviceProvider(kernel: kernel)
    let camera = try #require(provider.cameras().first)
    // Listed still, as when the plug is pulled between the two calls.
    kernel.force(.open, ENODEV)
    let finding = try #require(provider.diagnose().first)
    #expect(finding.code == .disconnected && finding.sentence.contains("no longer connected"))
    let error = #expect(throws: CaptureDeviceError.self) { try camera.open() }
    #expect(error?.code == .disconnected)
    kernel.unforce()
    kernel.unplug("/dev/video0")
    #expect(provider.diagnose().isEmpty && provider.cameras().isEmpty)
    #expect(throws: CaptureDeviceError.self) { try camera.open() }
    #expect(kernel.openCount == 0)
  }

  @Test(arguments: [
    (12, "2.00", true, "no video fits"), (480, "3.10", true, "made for USB 3"),
    (480, "2.00", false, "no other camera"), (5000, "3.00", false, "5000 Mbit/s"),
  ])
  func `how a camera is connected is reported, and when it is badly`(
    _ megabits: Int, _ version: String, _ isTrouble: Bool, _ words: String
  ) throws {
    var camera = KernelCamera.webcam()
    camera.placement.usb?.megabits = megabits
    camera.placement.usb?.version = version
    let finding = try #require(findings(ScriptedKernel([camera])).first)
    #expect(finding.subject == .usb && finding.isTrouble == isTrouble && finding.code == nil)
    #expect(finding.sentence.contains(words), "\(finding.sentence)")
  }

  @Test func `cameras on one bus name each other, those of another do not`() {
    let cameras = ["0000:00:14.0-usb2-1", "0000:00:14.0-usb2-2.1", "0000:00:14.0-usb3-2"].enumerated().map {
      var camera = KernelCamera.webcam(
        "Camera \($0.offset)", serial: "\($0.offset)", port: "1-\($0.offset)")
      camera.placement.usb?.socket = $0.element
      camera.placement.usb?.megabits = 5000
      return camera
    }
    let sentences = findings(ScriptedKernel(cameras)).map(\.sentence)
    #expect(sentences[0].contains("shares its bus with Camera 1,"))
    #expect(sentences[1].contains("shares its bus with Camera 0,"))
    #expect(sentences[2].contains("no other camera"))
  }

  @Test func `a full bus says what would fit`() throws {
    var webcam = KernelCamera.webcam()
    webcam.modes[0].sizes = [.one(VideoSize(640, 480)), .one(VideoSize(1280, 720))]
    webcam.modes[1].sizes = webcam.modes[0].sizes
    let kernel = ScriptedKernel([webcam])
    let camera = try kernel.camera()
    kernel.force(.streamOn, ENOSPC)
    let format = try #require(
      camera.facts.formats.first { $0.size.width == 1280 && $0.encoding != .motionJPEG })
    func refusal(_ format: StreamFormat) throws -> CaptureDeviceError? {
      let stream = try camera.openStream(
        StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
      return #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
    }
    let error = try refusal(format)
    #expect(error?.code == .bandwidthExhausted)
    #expect(
      error?.message.contains("choose MJPEG, or 640×480 at 30/s (18 MB/s instead of 55), or plug") == true,
      "\(error?.message ?? "")")
    // A compressed stream does not say beforehand what it takes.
    let compressed = try #require(camera.facts.formats.first { $0.encoding == .motionJPEG })
    let second = try refusal(compressed)
    #expect(second?.message.contains("choose a smaller size, a lower frame rate or MJPEG") == true)
  }
}
