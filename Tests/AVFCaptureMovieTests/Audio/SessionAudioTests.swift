import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureSession: sound")
  struct SessionAudioTests {
    private static let devices = [SessionStage.back, SimulatedDeviceModel.stageMicrophone]

    @Test
    func `a session connects a microphone to outputs that take audio, and to no others`() throws {
      let stage = SessionStage(devices: Self.devices)
      try stage.addCamera()
      let output = AVCaptureAudioDataOutput()
      try stage.addMicrophone(to: output)
      #expect(stage.session.connections.count == 2)
      let connection = try #require(output.connection(with: .audio))
      #expect(output.connection(with: .video) == nil)
      #expect(!connection.isVideoMirroringSupported && !connection.isVideoOrientationSupported)
      #expect(connection.isActive)
      #expect(
        !stage.session.canAddInput(try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone))))
    }

    @Test
    func `a microphone without an enabled connection is left alone`() throws {
      let stage = SessionStage(devices: Self.devices)
      let (_, frames) = try stage.addCamera()
      let output = AVCaptureAudioDataOutput()
      let counter = try stage.addMicrophone(to: output)
      let connection = try #require(output.connection(with: .audio))
      stage.session.startRunning()
      stage.pass(milliseconds: 100)
      connection.isEnabled = false
      let before = counter.stretches.count
      #expect(before == 10)
      stage.pass(milliseconds: 100)
      #expect(counter.stretches.count == before)
      connection.isEnabled = true
      stage.pass(milliseconds: 100)
      #expect(counter.stretches.count > before)
      #expect(frames.frames >= 7)
      stage.session.stopRunning()
    }

    @Test
    func
      `an unplugged microphone is an error, the pictures go on, and it is heard again where that was asked for`()
      throws
    {
      let stage = SessionStage(devices: Self.devices)
      stage.session.startsAgainWhenDevicesReturn = true
      let (_, frames) = try stage.addCamera()
      let output = AVCaptureAudioDataOutput()
      let counter = try stage.addMicrophone(to: output)
      let connection = try #require(output.connection(with: .audio))
      let microphone = try stage.camera(.stageMicrophone)
      stage.session.startRunning()
      stage.pass(milliseconds: 200)
      let simulated = try stage.simulated(.stageMicrophone)
      simulated.unplug()
      #expect(stage.news.wait(for: "error"))
      #expect(stage.news.lastError?.code == .deviceWasDisconnected)
      #expect(stage.news.lastError?.device === microphone)
      #expect(stage.session.isRunning && !connection.isActive)
      let (before, audio) = (frames.frames, counter.stretches.count)
      stage.pass(milliseconds: 200)
      #expect(frames.frames > before + 3 && counter.stretches.count == audio)
      // It is not there at the next start either, which needs no new error.
      stage.session.stopRunning()
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      simulated.plugIn()
      stage.clock.settle()
      #expect(connection.isActive)
      stage.session.events.sync {}
      stage.pass(milliseconds: 200)
      #expect(counter.stretches.count > audio)
      stage.session.stopRunning()
    }

    @Test
    func `an unplugged camera ends the session and the audio with it`() throws {
      let stage = SessionStage(devices: Self.devices)
      try stage.addCamera()
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 100)
      try stage.simulated().unplug()
      #expect(stage.news.wait(for: "stopped"))
      #expect(stage.news.lastError?.code == .deviceWasDisconnected)
      let audio = counter.stretches.count
      stage.pass(milliseconds: 100)
      #expect(counter.stretches.count == audio && !stage.session.isRunning)
    }

    @Test
    func `a microphone alone that is unplugged ends the session`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 100)
      try stage.simulated(.stageMicrophone).unplug()
      #expect(stage.news.wait(for: "stopped"))
      #expect(stage.news.all == ["isRunning true", "started", "error", "isRunning false", "stopped"])
      stage.session.startRunning()
      #expect(stage.news.wait(for: "error", count: 2))
      #expect(stage.news.lastError?.code == .deviceNotConnected)
    }

    @Test
    func `another client of the microphone interrupts the session, and the preview goes on`() throws {
      let stage = SessionStage(
        devices: Self.devices,
        faults: [SceneFault(.busy(seconds: 0.5), at: 0.2, device: "stage.microphone")])
      let (_, frames) = try stage.addCamera()
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 300)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.news.lastReason == .audioDeviceInUseByAnotherClient)
      #expect(stage.session.isInterrupted && !stage.session.isRunning)
      let (before, audio) = (frames.frames, counter.stretches.count)
      stage.pass(milliseconds: 200)
      #expect(frames.frames >= before + 5)
      #expect(counter.stretches.count == audio)
      stage.pass(milliseconds: 400)
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(milliseconds: 100)
      #expect(counter.stretches.count > audio && stage.session.isRunning)
      #expect(!stage.news.all.contains("error"))
      stage.session.stopRunning()
    }

    @Test
    func `a microphone that another program holds at the start is waited for`() throws {
      let stage = SessionStage(
        devices: Self.devices, faults: [SceneFault(.busy(seconds: 1), device: "stage.microphone")])
      let (_, frames) = try stage.addCamera()
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      #expect(stage.session.isInterrupted)
      #expect(stage.news.lastReason == .audioDeviceInUseByAnotherClient)
      stage.pass(milliseconds: 500)
      #expect(frames.frames >= 14 && counter.stretches.isEmpty)
      stage.pass(milliseconds: 1000)
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(milliseconds: 100)
      #expect(!counter.stretches.isEmpty)
      stage.session.stopRunning()
    }

    @Test
    func `a microphone that falls silent is an error, and the pictures go on`() throws {
      let stage = SessionStage(
        devices: Self.devices,
        faults: [SceneFault(.stall(seconds: 60), at: 0.2, device: "stage.microphone")])
      let (_, frames) = try stage.addCamera()
      try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 6000)
      #expect(stage.news.wait(for: "error"))
      #expect(stage.news.lastError?.code == .noDataCaptured)
      let before = frames.frames
      stage.pass(milliseconds: 100)
      #expect(frames.frames > before && stage.session.isRunning)
      stage.session.stopRunning()
    }

    @Test
    func `a photo is taken while another client has the microphone`() throws {
      let stage = SessionStage(
        devices: Self.devices, faults: [SceneFault(.busy(seconds: 60), at: 0.1, device: "stage.microphone")])
      let (_, _) = try stage.addCamera()
      try stage.addMicrophone()
      let photos = AVCapturePhotoOutput()
      stage.session.addOutput(photos)
      stage.session.startRunning()
      stage.pass(milliseconds: 200)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(photos.stillSource != nil)
      stage.session.stopRunning()
      #expect(photos.stillSource == nil)
    }
  }
}
