import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import Testing
import Waiting

extension DeviceSuites {
  /// A session on a USB webcam behind the kernel's own driver; DeviceLab/usb-webcam.c plays it.
  @Suite(
    "AVCaptureSession: in the device lab",
    .enabled(if: ProcessInfo.processInfo.environment["OBSCURA_LAB"] == "1"))
  struct SessionLabTests {
    private struct Failure: Error, CustomStringConvertible {
      var description: String
    }

    /// The first line that a command prints.
    static func firstLine(_ command: String) throws -> String {
      guard let pipe = popen(command, "r") else { throw Failure(description: "no shell") }
      var bytes = [CChar](repeating: 0, count: 200)
      let hasLine = fgets(&bytes, 200, pipe) != nil
      pclose(pipe)
      guard hasLine else { throw Failure(description: "\(command) says nothing") }
      return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Plugs the webcam in; what it returns pulls it out.
    private func plug() throws -> () throws -> Void {
      let folder = "DeviceLab/.cache"
      let process = try Self.firstLine(
        "\(folder)/usb-webcam LAB0002 \(folder)/bars-640x480.jpg >/dev/null 2>&1 & echo $!")
      return { _ = try Self.firstLine("kill -9 \(process); echo killed") }
    }

    @Test
    func
      `pictures come again each time the webcam is plugged in, where that was asked for, and nothing leaks`()
      throws
    {
      CaptureDeviceProviders.install(nil)
      let id = "usb-1d6b:0102-LAB0002"
      var pull = try plug()
      #expect(DeviceList.comes { AVCaptureDevice(uniqueID: id) != nil })
      let camera = try #require(AVCaptureDevice(uniqueID: id))
      let session = AVCaptureSession()
      session.startsAgainWhenDevicesReturn = true
      let news = SessionNews(session)
      let input = try AVCaptureDeviceInput(device: camera)
      session.addInput(input)
      let output = AVCaptureVideoDataOutput()
      let counter = FrameCounter()
      counter.watch(output)
      session.addOutput(output)
      session.startRunning()
      var descriptors: Int?
      for round in 1...6 {
        let before = counter.frames
        #expect(counter.wait(for: before + 3), "round \(round): \(news.all)")
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // The first rounds may load what stays.
        if round == 2 { descriptors = open }
        if let descriptors { #expect(open <= descriptors + 2) }
        try pull()
        #expect(news.wait(for: "stopped", count: round))
        #expect(news.lastError?.code == .deviceWasDisconnected && !session.isRunning)
        pull = try plug()
        #expect(news.wait(for: "started", count: round + 1))
        #expect(
          AVCaptureDevice(uniqueID: id) === input.device && input.device.isConnected && !camera.isConnected)
      }
      session.stopRunning()
      try pull()
    }
  }
}
