import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

/// Calls for which Apple's headers announce an exception.
enum HeaderRule: String, CaseIterable, Sendable {
  case twoInputs, twoOutputs, preset, startInside, stopInside, format, frameDuration, zoom, ramp,
    lensPosition, exposure, gains, bias, torchLevel, focusMode, hdr, unlock, unlocked, pixelFormat,
    delegateWithoutQueue, metadataTypes, photoSize, livePhotos, mirrored, scaleAndCrop, frameDurationOverride,
    depthFormat, synchronizer, bracket, foreignConnection, photoInside
}

extension DeviceSuites {
  @Suite struct `Mistakes that Apple's headers name` {
    @Test(arguments: HeaderRule.allCases)
    func `are reported once, and change nothing`(rule: HeaderRule) throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let (session, device) = (stage.session, input.device)
      let photos = AVCapturePhotoOutput(), metadata = AVCaptureMetadataOutput()
      session.addOutput(photos)
      session.addOutput(metadata)
      let video = try #require(session.outputs.first as? AVCaptureVideoDataOutput)
      let connection = try #require(video.connection(with: .video))
      session.startRunning()
      defer { session.stopRunning() }
      if rule != .unlocked, rule != .unlock { try device.lockForConfiguration() }
      if rule == .startInside || rule == .stopInside { session.beginConfiguration() }
      let before = (session.inputs.count, session.outputs.count, session.sessionPreset, device.activeFormat)
      let foreign = try stage.camera(SessionStage.front)
      let delegate = FrameCounter(), photographer = ProxyDelegate()
      let mistakes = try ProgrammingMistake.collect {
        switch rule {
        case .twoInputs: session.addInput(input)
        case .twoOutputs: session.addOutput(video)
        case .preset: session.sessionPreset = .hd4K3840x2160
        case .startInside: session.startRunning()
        case .stopInside: session.stopRunning()
        case .format: device.activeFormat = foreign.formats[0]
        case .frameDuration: device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 100_000)
        case .zoom: device.videoZoomFactor = 10_000
        case .ramp: device.ramp(toVideoZoomFactor: 0.1, withRate: 1)
        case .lensPosition: device.setFocusModeLocked(lensPosition: 2, completionHandler: nil)
        case .exposure:
          device.setExposureModeCustom(
            duration: CMTime(value: 100, timescale: 1), iso: 1e9, completionHandler: nil)
        case .gains:
          device.setWhiteBalanceModeLocked(
            with: .init(redGain: 0, greenGain: 0, blueGain: 0), completionHandler: nil)
        case .bias: device.setExposureTargetBias(100, completionHandler: nil)
        case .torchLevel: try device.setTorchModeOn(level: 2)
        case .focusMode:
          let plain = try stage.camera(SessionStage.front)
          plain.focusMode = .autoFocus
        case .hdr:
          device.automaticallyAdjustsVideoHDREnabled = true
          device.isVideoHDREnabled = true
        case .unlock: device.unlockForConfiguration()
        case .unlocked: device.exposureMode = .locked
        case .pixelFormat:
          video.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_14Bayer_BGGR]
        case .delegateWithoutQueue: video.setSampleBufferDelegate(delegate, queue: nil)
        case .metadataTypes: metadata.metadataObjectTypes = [AVMetadataObject.ObjectType(rawValue: "none")]
        case .photoSize: photos.maxPhotoDimensions = CMVideoDimensions(width: 3, height: 2)
        case .livePhotos: photos.isLivePhotoCaptureSuspended = true
        case .mirrored:
          connection.automaticallyAdjustsVideoMirroring = true
          connection.isVideoMirrored = true
        case .scaleAndCrop: connection.videoScaleAndCropFactor = 100_000
        case .frameDurationOverride: input.videoMinFrameDurationOverride = CMTime(value: -1, timescale: 30)
        case .depthFormat: device.activeDepthDataFormat = device.activeFormat
        case .synchronizer: _ = AVCaptureDataOutputSynchronizer(dataOutputs: [])
        case .bracket:
          photos.capturePhoto(
            with: AVCapturePhotoBracketSettings(
              rawPixelFormatType: 0, processedFormat: nil,
              bracketedSettings: (0..<50).map { _ in
                AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0)
              }), delegate: photographer)
        case .foreignConnection:
          session.addConnection(
            AVCaptureConnection(
              inputPorts: [try AVCaptureDeviceInput(device: foreign).ports[0]], output: photos))
        case .photoInside:
          session.beginConfiguration()
          session.removeOutput(photos)
          photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer)
          session.addOutput(photos)
          session.commitConfiguration()
        }
      }
      #expect(mistakes.count == 1)
      if rule == .bracket || rule == .photoInside { #expect(photographer.wait(for: 1)) }
      if rule == .startInside || rule == .stopInside { session.commitConfiguration() }
      #expect(session.isRunning)
      #expect(before.0 == session.inputs.count && before.1 == session.outputs.count)
      #expect(before.2 == session.sessionPreset && before.3 === device.activeFormat)
      if rule != .unlocked, rule != .unlock { device.unlockForConfiguration() }
    }

    @Test(arguments: [false, true])
    func `a movie is not recorded under the preset photo`(hasPhotos: Bool) throws {
      let stage = try MovieStage(preset: .photo)
      if hasPhotos { stage.session.addOutput(AVCapturePhotoOutput()) }
      #expect(stage.output.connections.count == 2 && stage.output.connections.allSatisfy { !$0.isActive })
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      let mistakes = ProgrammingMistake.collect {
        stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      }
      #expect(mistakes.count == 1 && mistakes.first?.rule.contains("photo") == true)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .sessionConfigurationChanged)
      #expect(!stage.output.isRecording && !FileManager.default.fileExists(atPath: stage.url().path))
      stage.session.sessionPreset = .high
      #expect(stage.output.connections.allSatisfy { $0.isActive })
      let second = try stage.record(frames: 10, to: "second.mov")
      #expect(stage.log.lastError?.code == .sessionConfigurationChanged)
      #expect(try WrittenMovie(second).stamps.count == 10)
    }

    @Test
    func `a movie that is recorded ends when the preset becomes photo`() throws {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.session.sessionPreset = .photo
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .sessionConfigurationChanged)
      #expect(stage.log.lastError?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
      #expect(!stage.output.isRecording)
    }
  }
}

@Suite struct `A session that is started on the main thread` {
  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `says so once for each method, and goes on`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await MainActor.run {
        for _ in 0..<3 {
          let session = AVCaptureSession()
          session.startRunning()
          session.stopRunning()
        }
      }
      // Served behind what the calls have left to the main queue.
      await MainActor.run {}
    }
    #expect(text(result).components(separatedBy: "startRunning() was called on the main thread").count == 2)
    #expect(text(result).components(separatedBy: "stopRunning() was called on the main thread").count == 2)
  }

  @Test func `says nothing in a program that serves no main queue`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let session = AVCaptureSession()
        session.startRunning()
        session.stopRunning()
        exit(EXIT_SUCCESS)
      }
    }
    #expect(!text(result).contains("main thread"))
  }

  @Test func `says nothing elsewhere`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await Task.detached {
        let session = AVCaptureSession()
        session.startRunning()
        session.stopRunning()
      }.value
    }
    #expect(!text(result).contains("main thread"))
  }
}
