import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Zero shutter lag")
  struct ZeroShutterLag {
    static let small = FrameSize(width: 160, height: 120)
    static let large = FrameSize(width: 320, height: 240)

    let output = AVCapturePhotoOutput()
    let delegate = RecordingPhotoDelegate()
    let viewfinder = RecordingVideoDelegate()

    /// A running camera with a viewfinder that keeps nothing, at 30 frames a second.
    func rig(
      _ model: SimulatedDeviceModel = .camera(), faults: [SceneFault] = [], hasViewfinder: Bool = true,
      preset: AVCaptureSession.Preset = .photo
    ) throws -> (rig: CaptureRig, data: AVCaptureVideoDataOutput) {
      let rig = try CaptureRig(model, faults: faults, preset: preset)
      let data = AVCaptureVideoDataOutput()
      viewfinder.keepsBuffers.withLock { $0 = false }
      if hasViewfinder {
        data.setSampleBufferDelegate(viewfinder, queue: DispatchQueue(label: "viewfinder"))
        rig.session.addOutput(data)
      }
      rig.session.addOutput(output)
      rig.session.startRunning()
      rig.advance(frames: 10)
      return (rig, data)
    }

    var pixels: AVCapturePhotoSettings {
      AVCapturePhotoSettings(
        format: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange])
    }

    /// Presses, lets `frames` pass, and answers the number in the photo's own stamp.
    func press(
      _ rig: CaptureRig, _ settings: AVCapturePhotoSettings? = nil, frames: Int = 0
    ) throws -> UInt32 {
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings ?? pixels, delegate: delegate)
      rig.advance(frames: frames)
      try #require(delegate.wait(for: count + 1))
      #expect(delegate.errors.withLock { $0 }.isEmpty)
      let photo = try #require(delegate.photos.withLock { $0.last })
      let picture = try #require(photo.pixelBuffer)
      let number = try #require(FrameStamp.read(from: picture))
      #expect(photo.frameSequenceNumber == number)
      return number
    }

    /// The number in the stamp of the newest frame that the delegate was given, from now on.
    func watch() -> Locked<UInt32?> {
      let newest = Locked<UInt32?>(nil)
      viewfinder.visit.set { sample in
        newest.withLock { $0 = sample.imageBuffer.flatMap { FrameStamp.read(from: $0) } }
      }
      return newest
    }

    var history: FrameHistory? { output.stillSource?.history }

    @Test func `five hundred photos are of the frame on show when the shutter was pressed`() throws {
      let (rig, data) = try rig()
      let newest = watch()
      rig.advance(frames: 2)
      var memory: Set<Int> = []
      for _ in 0..<500 {
        let shown = newest.withLock { $0 }
        let number = try press(rig)
        #expect(number == shown)
        delegate.photos.withLock { $0 = [] }
        memory.insert(history?.usage.bytes ?? 0)
        rig.advance(frames: 1)
      }
      #expect(memory.count == 1 && memory.first ?? 0 > 172_000)
      #expect(viewfinder.drops.withLock { $0.isEmpty })
      let statistics = data.statistics
      #expect(statistics.captured == statistics.delivered)
      #expect(statistics.delivered > 500)
    }

    @Test(arguments: [true, false])
    func `a client that keeps fifty photos with previews takes no frame from the viewfinder`(
      isCompressed: Bool
    ) throws {
      let (rig, data) = try rig()
      for _ in 0..<50 {
        let settings = isCompressed ? AVCapturePhotoSettings() : pixels
        settings.previewPhotoFormat = settings.availablePreviewPhotoPixelFormatTypes.first.map {
          [kCVPixelBufferPixelFormatTypeKey as String: $0]
        }
        let count = delegate.finishedCount.withLock { $0 }
        output.capturePhoto(with: settings, delegate: delegate)
        try #require(delegate.wait(for: count + 1))
        rig.advance(frames: 1)
      }
      #expect(delegate.errors.withLock { $0 } == [])
      let photos = delegate.photos.withLock { $0 }
      #expect(photos.count == 50)
      #expect(photos.allSatisfy { $0.previewPixelBuffer != nil })
      #expect(viewfinder.drops.withLock { $0.isEmpty })
      #expect(data.statistics.captured == data.statistics.delivered)
      #expect(history?.usage.frames == 6)
    }

    @Test func `switched off, a photo is of the next exposure`() throws {
      let (rig, _) = try rig()
      output.isZeroShutterLagEnabled = false
      #expect(output.isZeroShutterLagSupported && !output.isZeroShutterLagEnabled)
      let newest = watch()
      rig.advance(frames: 2)
      #expect(history == nil)
      for _ in 0..<20 {
        let shown = try #require(newest.withLock { $0 })
        #expect(try press(rig, frames: 3) > shown)
      }
    }

    @Test func `a press inside the delegate's call is of the frame in its hands`() throws {
      let (rig, _) = try rig()
      let pressed = Locked<UInt32?>(nil)
      let output = output, delegate = delegate
      viewfinder.visit.set { sample in
        let isFirst = pressed.withLock { pressed in
          defer { pressed = pressed ?? sample.imageBuffer.flatMap { FrameStamp.read(from: $0) } }
          return pressed == nil
        }
        if isFirst { output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate) }
      }
      rig.advance(frames: 2)
      #expect(delegate.wait())
      let photo = try #require(delegate.photos.withLock { $0.first })
      #expect(photo.frameSequenceNumber == pressed.withLock { $0 })
      #expect(photo.timestamp.isValid)
    }

    @Test func `a slow viewfinder's photo is of what it shows, not of what has come since`() throws {
      let (rig, _) = try rig()
      let isBusy = DispatchSemaphore(value: 0), hasBegun = DispatchSemaphore(value: 0)
      let newest = watch()
      rig.advance(frames: 1)
      let shown = try #require(newest.withLock { $0 })
      viewfinder.inside.set {
        hasBegun.signal()
        isBusy.wait()
      }
      rig.advance(frames: 1, waitingForClients: false)
      hasBegun.wait()
      rig.advance(frames: 3, waitingForClients: false)
      // One more frame is in the delegate's hands; those after it wait.
      let number = try press(rig)
      #expect(number == shown + 1)
      viewfinder.inside.set(nil)
      for _ in 0..<9 { isBusy.signal() }
    }

    @Test func `the time of the user's event chooses the frame that was on show then`() throws {
      let (rig, _) = try rig()
      let newest = watch()
      rig.advance(frames: 1)
      let event = rig.session.synchronizationClock?.time
      let shown = newest.withLock { $0 }
      rig.advance(frames: 3)
      let settings = pixels
      settings.pressTime = event
      #expect((settings.copy() as? AVCapturePhotoSettings)?.pressTime == event)
      #expect(AVCapturePhotoSettings(from: settings).pressTime == nil)
      #expect(try press(rig, settings) == shown)
    }

    @Test func `without a viewfinder a photo is of the newest frame`() throws {
      let (rig, _) = try rig(hasViewfinder: false)
      #expect(try press(rig) == 9)
      #expect(delegate.steps.withLock { $0.count } == 5)
    }

    @Test func `a preview counts from when its frame is drawn`() throws {
      let (rig, _) = try rig(hasViewfinder: false)
      let layer = AVCaptureVideoPreviewLayer(session: rig.session)
      rig.advance(frames: 1)
      let frame = try #require(layer.frames.takeNewest())
      let drawn = frame.sequence
      rig.advance(frames: 2)
      #expect(try press(rig) == drawn)
      withExtendedLifetime(layer) {}
    }

    @Test func `two presses at one moment are two frames`() throws {
      let (rig, _) = try rig()
      let newest = watch()
      rig.advance(frames: 1)
      let shown = newest.withLock { $0 }
      for _ in 0..<2 { output.capturePhoto(with: pixels, delegate: delegate) }
      rig.advance(frames: 3)
      #expect(delegate.wait(for: 2))
      let numbers = delegate.photos.withLock { $0.compactMap(\.frameSequenceNumber) }
      #expect(numbers.first == shown)
      #expect(Set(numbers).count == 2)
    }

    @Test func `a photo larger than the stream is of the device's own memory of that frame`() throws {
      let (rig, _) = try rig(.camera(stillSizes: [Self.large]))
      let newest = watch()
      rig.advance(frames: 2)
      #expect(output.isZeroShutterLagEnabled)
      for _ in 0..<20 {
        let shown = newest.withLock { $0 }
        let number = try press(rig)
        #expect(number == shown)
        rig.advance(frames: 1)
      }
      let photo = try #require(delegate.photos.withLock { $0.last })
      let picture = try #require(photo.pixelBuffer)
      #expect(CVPixelBufferGetWidth(picture) == 320)
      #expect(history?.usage.bytes == 0)
    }

    @Test func `a camera that sends JPEG keeps compressed frames`() throws {
      let (rig, _) = try rig(.camera(encodings: [.motionJPEG]))
      let newest = watch()
      rig.advance(frames: 2)
      for _ in 0..<5 {
        let shown = newest.withLock { $0 }
        let number = try press(rig)
        #expect(number == shown)
        rig.advance(frames: 1)
      }
      #expect(try #require(history).usage.bytes < 172_800)
    }
  }
}
