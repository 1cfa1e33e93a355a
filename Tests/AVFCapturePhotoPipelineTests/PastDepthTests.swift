import AVFoundation
import CameraFrames
import CaptureDevice
import CaptureStage
import CoreVideo
import Dispatch
import Foundation
import Linux
import PhotoProcessing
import Testing

/// Takes so long to give a past frame's picture that the depth maps of its time are gone, or gives a later one instead.
private final class SlowExposer: PhotoExposer {
  static let interval: Int64 = 33_333_333
  let processor = FrameProcessor()
  let history: FrameHistory?
  private let depths = DepthHistory()
  private let map: @Sendable (Int64) -> CapturedDepth
  private let delay: Int64
  /// The numbers of the maps that photos got.
  let seen = Locked<[UInt32]>([])

  static func moment(_ index: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000 + index * interval)
  }

  /// - Parameter delay: How many frames later the picture is exposed that comes; 0 is the past one.
  init(delay: Int64) throws {
    self.delay = delay
    let format = StreamFormat(
      size: FrameSize(width: 16, height: 16),
      encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      frameDurations: [FrameDuration(1, 30)...FrameDuration(1, 30)])
    let plan = HistoryPlan(
      of: StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)), photoSize: nil,
      capabilities: CameraCapabilities())
    history = FrameHistory(try #require(plan), granted: 32) { Self.moment(3) }
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_DepthFloat16, width: 2, height: 2)
    map = { CapturedDepth(map: buffer, timestamp: Self.moment($0), sequence: UInt32($0)) }
    depths.keep(2)
    for index in 1...3 as ClosedRange<Int64> {
      history?.take(try Self.frame(index))
      depths.take(map(index))
    }
  }

  private static func frame(_ index: Int64) throws -> CapturedFrame {
    CapturedFrame(
      picture: .pixels(
        try CVPixelBuffer(format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 16, height: 16)),
      timestamp: moment(index), sequence: UInt32(index), conditions: FrameConditions(ControlState()))
  }

  func claimDepth(at moment: MonotonicInstant) -> DepthClaim? {
    depths.claim(at: moment, every: Self.interval)
  }

  func depthData(of map: CapturedDepth, as request: PhotoDepthRequest) -> AVDepthData? {
    seen.withLock { $0.append(map.sequence) }
    return nil
  }

  func expose(
    _ request: StillRequest, of frame: PastFrame?,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    for index in 4...12 as ClosedRange<Int64> { depths.take(map(index)) }
    let noFrame = CaptureDeviceError(.outOfMemory, "There is no memory left; close something.")
    completion(Result { try Self.frame(3 + delay) }.mapError { _ in noFrame })
  }
}

@Suite("Depth of photos of the past")
struct PastDepthTests {
  @Test(arguments: [(0, 3), (8, 11)] as [(Int64, UInt32)])
  func `a photo has the map of its frame, however late that comes`(delay: Int64, number: UInt32) throws {
    let exposer = try SlowExposer(delay: delay)
    let delegate = RecordingPhotoDelegate()
    let nothing = CMVideoDimensions(width: 0, height: 0)
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: 1, photo: CMVideoDimensions(width: 16, height: 16), preview: nothing, thumbnail: nothing,
      expectedPhotoCount: 1, processingTime: .zero)
    var capture = PhotoCaptureRequest(uniqueID: 1, size: FrameSize(width: 16, height: 16))
    capture.press = PhotoPress(time: SlowExposer.moment(3), change: 0)
    let processing = PhotoProcessingRequest(
      uniqueID: 1, encoding: .jpeg(quality: nil), preview: nil, thumbnail: nil, orientation: .up,
      enlargement: 1, prioritization: .balanced, camera: PhotoCamera(make: "Maker", model: "Model"),
      flash: .off)
    let pipeline = PhotoPipeline()
    pipeline.press(
      PhotoJob(
        capture: capture, processing: processing, exposer: exposer,
        receiver: PhotoDelivery(
          output: AVCapturePhotoOutput(), resolved: resolved, delegate: delegate,
          queue: DispatchQueue(label: "past depth")), depth: PhotoDepthRequest()))
    try #require(delegate.wait())
    #expect(exposer.seen.withLock { $0 } == [number])
  }
}
