import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

/// These need seconds of real time, so they run with `OBSCURA_STRESS` only.
@Suite("Stress: a stopped process", .enabled(if: StressCounts.isFull))
struct StoppedProcessStressTests {
  @Test func `a program that is stopped for six seconds goes on with its camera`() async {
    await #expect(processExitsWith: .success) {
      let scene = Scene(
        isStamped: false, isNoisy: false, faults: [],
        devices: [.camera(uniqueID: "stopped.back", name: "Back", sizes: [FrameSize(width: 64, height: 48)])])
      let provider = SimulatedDevices.install(scene: scene, clock: .real, access: .granted)
      let session = AVCaptureSession()
      let news = SessionNews(session)
      let camera = try #require(AVCaptureDevice(uniqueID: "stopped.back"))
      session.addInput(try AVCaptureDeviceInput(device: camera))
      let counter = FrameCounter()
      let output = AVCaptureVideoDataOutput()
      counter.watch(output)
      session.addOutput(output)
      session.startRunning()
      pause(seconds: 2.5, because: "the watch is calm by then, and looks rarely")
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", "kill -STOP $PPID; sleep 6; kill -CONT $PPID"]
      try shell.run()
      shell.waitUntilExit()
      let before = counter.frames
      pause(seconds: 7, because: "a watch that is wrong takes that long to end the session")
      let isAlive = session.isRunning && news.lastError == nil && counter.frames > before + 100
      withExtendedLifetime(provider) {}
      exit(isAlive ? 0 : 1)
    }
  }
}
