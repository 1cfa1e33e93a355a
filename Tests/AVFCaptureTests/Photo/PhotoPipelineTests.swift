import AVFoundation
import CaptureDevice
import CoreVideo
import Dispatch
import Foundation
import Linux
import Testing

/// A camera that answers when it is told to.
private final class FakeCamera: Sendable {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  let requests = Locked<[(StillRequest, Completion)]>([])

  var count: Int { requests.withLock { $0.count } }

  @Sendable func expose(_ request: StillRequest, completion: @escaping Completion) {
    requests.withLock { $0.append((request, completion)) }
  }

  func answer(_ result: Result<CapturedFrame, CaptureDeviceError>) {
    requests.withLock { $0.removeFirst() }.1(result)
  }
}

@Suite("PhotoPipeline: from the press to the last callback")
struct PhotoPipelineTests {
  private let pipeline = PhotoPipeline()
  private let camera = FakeCamera()
  private let delegate = RecordingPhotoDelegate()
  private let queue = DispatchQueue(label: "pipeline callbacks")
  private let output = AVCapturePhotoOutput()

  private func job(
    _ id: Int64, _ encoding: PhotoEncoding = .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
  )
    -> PhotoPipeline.Job
  {
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: id, photo: CMVideoDimensions(width: 64, height: 48),
      preview: CMVideoDimensions(width: 0, height: 0),
      thumbnail: CMVideoDimensions(width: 0, height: 0), expectedPhotoCount: 1, processingTime: .zero)
    return PhotoPipeline.Job(
      capture: PhotoCaptureRequest(uniqueID: id, size: FrameSize(width: 64, height: 48)),
      processing: PhotoProcessingRequest(
        uniqueID: id, encoding: encoding, camera: PhotoCamera(make: "Maker", model: "Model")),
      delivery: PhotoDelivery(output: output, resolved: resolved, delegate: delegate, queue: queue),
      sourceDeviceType: nil, expose: camera.expose)
  }

  private func frame(_ sequence: UInt32) -> CapturedFrame {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &buffer)
    guard let buffer else { preconditionFailure("no memory") }
    return CapturedFrame(
      picture: .pixels(buffer), timestamp: MonotonicInstant(nanoseconds: 5), sequence: sequence)
  }

  private var steps: [RecordingPhotoDelegate.Step] {
    queue.sync {}
    return delegate.steps.withLock { $0 }
  }

  @Test func `a photo goes through every step`() throws {
    pipeline.press(job(1))
    #expect(steps == [.willBegin(1), .willCapture(1)])
    camera.answer(.success(frame(7)))
    #expect(delegate.wait())
    #expect(steps == RecordingPhotoDelegate.success(1))
    let photo = try #require(delegate.photos.withLock { $0.first })
    #expect(photo.frameSequenceNumber == 7)
    #expect(photo.timestamp == CMTime(value: 5, timescale: 1_000_000_000))
    #expect(photo.pixelBuffer != nil)
    #expect(photo.fileDataRepresentation() == nil)
  }

  @Test func `an uncompressed photo in the device's own format is the device's own memory`() throws {
    let frame = frame(0)
    pipeline.press(job(1))
    camera.answer(.success(frame))
    #expect(delegate.wait())
    guard case .pixels(let pixels) = frame.picture else { return }
    #expect(delegate.photos.withLock { $0.first?.pixelBuffer } === pixels)
  }

  @Test func `what the device answers reaches the delegate as an error of its own domain`() {
    pipeline.press(job(1))
    camera.answer(.failure(CaptureDeviceError(.disconnected, "The camera is gone; plug it in again.")))
    #expect(delegate.wait())
    #expect(
      steps == [.willBegin(1), .willCapture(1), .processed(1, failed: true), .finished(1, failed: true)])
    #expect(delegate.errors.withLock { $0.first as? AVError }?.code == .deviceWasDisconnected)
  }

  @Test func `no more photos are under way than memory is meant for, and all of them come`() {
    for id in 1...8 { pipeline.press(job(Int64(id))) }
    #expect(camera.count == PhotoPipeline.underWayLimit)
    for sequence in 0..<8 {
      while camera.count == 0 { usleep(1000) }
      camera.answer(.success(frame(UInt32(sequence))))
    }
    #expect(delegate.wait(for: 8))
    let finished = steps.filter { if case .finished(_, failed: false) = $0 { true } else { false } }
    #expect(finished == (1...8).map { .finished($0, failed: false) })
  }

  @Test func `a press too many is refused at once`() {
    let limit = PhotoPipeline.underWayLimit + PhotoPipeline.waitingLimit
    for id in 1...Int64(limit + 1) { pipeline.press(job(id)) }
    #expect(delegate.wait())
    #expect(
      delegate.errors.withLock { $0.first as? AVError }?.code == .maximumStillImageCaptureRequestsExceeded)
    pipeline.abandon(with: AVError(.sessionNotRunning))
    #expect(delegate.wait(for: limit + 1))
  }

  @Test func `abandoned photos end once, and a late frame changes nothing`() {
    for id in 1...Int64(5) { pipeline.press(job(id)) }
    pipeline.abandon(with: AVError(.sessionWasInterrupted))
    #expect(delegate.wait(for: 5))
    while camera.count > 0 { camera.answer(.success(frame(0))) }
    pipeline.press(job(6))
    camera.answer(.success(frame(1)))
    #expect(delegate.wait(for: 6))
    let ends = steps.compactMap {
      if case .finished(let id, let failed) = $0 { failed ? -id : id } else { nil }
    }
    #expect(ends == [-1, -2, -3, -4, -5, 6])
  }

  @Test func `a photo that has its frame is finished although the session stops`() {
    pipeline.press(job(1))
    camera.answer(.success(frame(3)))
    pipeline.abandon(with: AVError(.sessionNotRunning))
    #expect(delegate.wait())
    #expect(steps == RecordingPhotoDelegate.success(1))
  }
}
