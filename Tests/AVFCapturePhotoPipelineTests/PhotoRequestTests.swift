import AVFoundation
import CameraFrames
import CaptureDevice
import CaptureStage
import CoreVideo
import Dispatch
import Foundation
import ImageIO
import Linux
import PhotoProcessing
import Testing

/// Answers each exposure at once with the next of its results.
private final class ReadyExposer: PhotoExposer {
  let results: Locked<[Result<CapturedFrame, CaptureDeviceError>]>
  let requests = Locked<[StillRequest]>([])
  let processor = FrameProcessor()
  var history: FrameHistory? { nil }

  init(_ results: [Result<CapturedFrame, CaptureDeviceError>]) {
    self.results = Locked(results)
  }

  func expose(
    _ request: StillRequest, of frame: PastFrame?,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    requests.withLock { $0.append(request) }
    completion(results.withLock { $0.removeFirst() })
  }
}

@Suite("Requests of a photo: what it needs from the device, and what is made of its frames")
struct PhotoRequestTests {
  private final class Token: Sendable {}

  private let delegate = RecordingPhotoDelegate()
  private let queue = DispatchQueue(label: "photo requests")
  private let size = FrameSize(width: 64, height: 48)
  private let noFrame = CaptureDeviceError(.outOfMemory, "There is no memory left; close something.")

  private func picture() throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &buffer)
    let pixels = try #require(buffer)
    for plane in pixels.planes {
      plane.bytes.copyBytes(from: plane.bytes.indices.map { UInt8(truncatingIfNeeded: 40 + $0 % 97) })
    }
    return pixels
  }

  private func frame(_ sequence: UInt32, inFlight: Token? = nil) throws -> CapturedFrame {
    var controls = ControlState()
    controls.exposure = FrameExposure(durationNanoseconds: 12_345_678, iso: 123.4)
    controls.zoom = 1.7
    controls.constituent = "tele"
    return CapturedFrame(
      picture: .pixels(try picture()), timestamp: MonotonicInstant(nanoseconds: 3_725_678_000_000),
      sequence: sequence, conditions: FrameConditions(controls), inFlight: inFlight)
  }

  private func request(_ encoding: PhotoEncoding) throws -> PhotoProcessingRequest {
    PhotoProcessingRequest(
      uniqueID: 1, encoding: encoding,
      preview: PhotoPreviewRequest(format: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ]),
      thumbnail: PhotoThumbnailRequest(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]),
      orientation: .leftMirrored, enlargement: 1.25, prioritization: .quality,
      camera: PhotoCamera(
        make: "Maker", model: "Model",
        lenses: CameraLenses(
          LensFacts(
            focalLength: 5.96, focalLengthIn35mmFilm: 26, aperture: 1.6, fieldOfView: 69, model: "5.96mm"))),
      flash: .auto, exposure: .bias(-1.5),
      clientMetadata: PhotoMetadata([
        "{GPS}": ["Latitude": 59.0, "LatitudeRef": "N", "TimeStamp": "01:02:03"],
        "{Exif}": ["UserComment": "żółw", "SubjectArea": [1, 2, 3, 4], "MakerNote": Data([1, 2, 3])],
      ]))
  }

  private func take(
    _ capture: PhotoCaptureRequest, _ request: PhotoProcessingRequest, _ exposer: ReadyExposer,
    load: PhotoPipeline.Load? = nil
  ) -> [AVCapturePhoto] {
    let nothing = CMVideoDimensions(width: 0, height: 0)
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: 1, photo: CMVideoDimensions(width: 64, height: 48), preview: nothing, thumbnail: nothing,
      expectedPhotoCount: capture.pictures.count, processingTime: .zero)
    let pipeline = PhotoPipeline(load: load)
    pipeline.press(
      PhotoJob(
        capture: capture, processing: request, exposer: exposer,
        receiver: PhotoDelivery(
          output: AVCapturePhotoOutput(), resolved: resolved, delegate: delegate, queue: queue)))
    #expect(delegate.wait())
    return delegate.photos.withLock { $0 }
  }

  private func stored<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test(arguments: [PhotoEncoding.jpeg(quality: nil), .heic(quality: 0.8)], [true, false])
  func `a stored processing request makes of the stored picture the bytes of the photo made at once`(
    encoding: PhotoEncoding, hasManualClock: Bool
  ) throws {
    let requests = Locked<[PhotoProcessingRequest]>([])
    let frame = try frame(7, inFlight: hasManualClock ? Token() : nil)
    let photo = try #require(
      take(
        PhotoCaptureRequest(uniqueID: 1, size: size), try request(encoding), ReadyExposer([.success(frame)]),
        load: { _, request in requests.withLock { $0.append(request) } }
      ).first)
    let stored = try stored(try #require(requests.withLock { $0.first }))
    // Of the frame nothing is stored but its picture.
    let later = CapturedFrame(
      picture: frame.picture, timestamp: MonotonicInstant(nanoseconds: 0), sequence: 0)
    let result = try PhotoProcessor().process([later], for: stored)
    #expect(result.file == photo.fileDataRepresentation())
    #expect(result.file?.isEmpty == false)
    #expect(result.timestamp == photo.timestamp)
    #expect(result.controls == photo.controls)
    #expect(result.metadata.properties[FrameAttachments.sequenceNumber] as? UInt32 == 7)
  }

  @Test func `metadata that cannot be stored is an error that says so, and nothing is left out`() throws {
    var request = try request(.jpeg(quality: nil))
    request.clientMetadata.properties["Odd"] = Token()
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(request) }
  }

  @Test func `a stored capture request asks the device for the same`() throws {
    var capture = PhotoCaptureRequest(
      uniqueID: 9, size: size, flash: .on,
      pictures: [
        PhotoCaptureRequest.Picture([nil, .bias(0.5)]),
        PhotoCaptureRequest.Picture([.manual(durationNanoseconds: 1_000_000, iso: nil)]),
      ], overlaps: true, pressed: MonotonicInstant(nanoseconds: 5))
    capture.press = PhotoPress(time: MonotonicInstant(nanoseconds: 6), change: .max)
    let stored = try stored(capture)
    #expect(stored == capture)
    #expect(
      stored.stills.map(\.exposure) == [nil, .bias(0.5), .manual(durationNanoseconds: 1_000_000, iso: nil)])
  }

  // MARK: Pictures of several exposures

  @Test func `a picture of several exposures is one photo, of the first frame that came`() throws {
    let exposer = ReadyExposer([.failure(noFrame), .success(try frame(4)), .success(try frame(5))])
    let capture = PhotoCaptureRequest(
      uniqueID: 1, size: size,
      pictures: [
        PhotoCaptureRequest.Picture([.bias(-1), .bias(0)]), PhotoCaptureRequest.Picture([.bias(1)]),
      ])
    let photos = take(capture, try request(.jpeg(quality: nil)), exposer)
    #expect(exposer.requests.withLock { $0.map(\.exposure) } == [.bias(-1), .bias(0), .bias(1)])
    #expect(photos.map(\.frameSequenceNumber) == [4, 5])
    #expect(delegate.errors.withLock { $0.isEmpty })
  }

  @Test
  func `a picture none of whose exposures came fails with the first reason, and the others are finished`()
    throws
  {
    let exposer = ReadyExposer([
      .failure(noFrame), .failure(CaptureDeviceError(.disconnected, "The camera is gone; plug it in again.")),
      .success(try frame(5)),
    ])
    let capture = PhotoCaptureRequest(
      uniqueID: 1, size: size,
      pictures: [
        PhotoCaptureRequest.Picture([.bias(-1), .bias(0)]), PhotoCaptureRequest.Picture([.bias(1)]),
      ])
    let photos = take(capture, try request(.jpeg(quality: nil)), exposer)
    #expect(photos.map(\.frameSequenceNumber) == [nil, 5])
    #expect(delegate.errors.withLock { ($0.first as? AVError)?.code } == .outOfMemory)
  }

  @Test func `every picture of a bracket is dated by the manual clock that it was exposed on`() throws {
    let frames = try (0..<3).map { Result<_, CaptureDeviceError>.success(try frame($0, inFlight: Token())) }
    let capture = PhotoCaptureRequest(
      uniqueID: 1, size: size, pictures: [-1, 0, 1].map { PhotoCaptureRequest.Picture([.bias($0)]) })
    let photos = take(capture, try request(.jpeg(quality: nil)), ReadyExposer(frames))
    let dates = photos.map { ($0.metadata["{TIFF}"] as? [String: Any])?["DateTime"] as? String }
    #expect(dates == Array(repeating: "2001:01:01 01:02:05", count: 3))
  }
}
