import AVFCapture
import AVFoundation
import CameraTasks
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import Testing
import Waiting

extension DeviceSuites {
  @Suite("H.264 from the camera to the client")
  struct CodedVideo {
    @Test func `a client that wants the device's own format gets access units with their parameter sets`()
      throws
    {
      let stage = try CodedStage()
      try stage.add()
      #expect(stage.device.activeFormat.formatDescription.mediaSubType == .h264)
      #expect(stage.output.availableVideoCodecTypes == [.h264])
      stage.session.startRunning()
      #expect(stage.output.connection(with: .video)?.isActive == true)
      #expect(stage.output.videoSettings[AVVideoCodecKey] as? AVVideoCodecType == .h264)
      try stage.send(isKeyFrame: true)
      try stage.send()
      let samples = stage.delegate.samples.withLock { $0 }
      try #require(samples.map(\.sequence) == [0, 1])
      for (number, sample) in samples.map(\.buffer).enumerated() {
        #expect(sample.imageBuffer == nil && sample.numSamples == 1 && sample.dataReadiness == .ready)
        let data = try #require(sample.dataBuffer)
        #expect(data.dataLength == 8 && sample.totalSampleSize == 8)
        let description = try #require(sample.formatDescription)
        #expect(description.mediaSubType == .h264 && description.nalUnitHeaderLength == 4)
        #expect(description.dimensions == CMVideoDimensions(width: 64, height: 48))
        let time = CMTime(value: 1_000_000_000 + Int64(number) * 33_333_333, timescale: 1_000_000_000)
        #expect(sample.presentationTimeStamp == time && !sample.duration.isValid)
        #expect(!sample.decodeTimeStamp.isValid)
        let said =
          CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)?.first as? NSDictionary
        #expect(said?.object(forKey: kCMSampleAttachmentKey_NotSync) as? Bool == (number == 0 ? nil : true))
        #expect(said?.object(forKey: kCMSampleAttachmentKey_DependsOnOthers) as? Bool == (number == 1))
        #expect(sample.sampleAttachments[0][.isDependedOnByOthers] as? Bool == true)
      }
      #expect(samples[0].buffer.formatDescription === samples[1].buffer.formatDescription)
      #expect(samples.allSatisfy { RecordingVideoDelegate.sequence(of: $0.buffer) != nil })
    }

    @Test func `H.264 can be asked for by name, of a device that has it`() throws {
      let stage = try CodedStage()
      try stage.add(settings: [AVVideoCodecKey: AVVideoCodecType.h264])
      stage.session.startRunning()
      try stage.send(isKeyFrame: true)
      #expect(stage.delivered == [0])
      let other = try CodedStage(encodings: [CodedCamera.pixels])
      try other.add(CodedCamera.pixels)
      #expect(other.output.availableVideoCodecTypes.isEmpty)
      let mistakes = ProgrammingMistake.collect {
        other.output.videoSettings = [AVVideoCodecKey: AVVideoCodecType.h264]
      }
      #expect(mistakes.count == 1)
    }

    @Test func `asked for by name it is neither turned nor mirrored nor made smaller`() throws {
      let stage = try CodedStage()
      try stage.add(width: 3840, settings: [AVVideoCodecKey: AVVideoCodecType.h264])
      let connection = try #require(stage.output.connection(with: .video))
      #expect(connection.isActive)
      connection.videoRotationAngle = 90
      #expect(!connection.isActive)
      connection.videoRotationAngle = 0
      #expect(connection.isActive)
      connection.isVideoMirrored = true
      #expect(!connection.isActive)
      connection.isVideoMirrored = false
      stage.output.automaticallyConfiguresOutputBufferDimensions = false
      #expect(connection.isActive)
      stage.output.deliversPreviewSizedOutputBuffers = true
      #expect(!connection.isActive)
    }

    @Test func `a running session changes to it and back`() throws {
      let stage = try CodedStage()
      try stage.add(CodedCamera.pixels)
      stage.session.startRunning()
      try stage.send()
      #expect(stage.delegate.samples.withLock { $0.last?.buffer.imageBuffer } != nil)
      try stage.choose(.h264)
      #expect(stage.camera.encoding == .h264)
      try stage.send(isKeyFrame: true)
      #expect(stage.delegate.samples.withLock { $0.last?.buffer.imageBuffer } == nil)
      try stage.choose(CodedCamera.pixels)
      let key = kCVPixelBufferPixelFormatTypeKey as String
      stage.output.videoSettings = [key: kCVPixelFormatType_32BGRA]
      try stage.send()
      let pixels = stage.delegate.samples.withLock { $0.last?.buffer.imageBuffer }
      #expect(pixels.map(CVPixelBufferGetPixelFormatType) == kCVPixelFormatType_32BGRA)
      #expect(stage.news.all.filter { $0 == "error" }.isEmpty)
    }

    @Test func `after a gap the client hears of losses until a key frame comes`() throws {
      let stage = try CodedStage()
      try stage.add()
      stage.session.startRunning()
      try stage.send()
      try stage.send(isKeyFrame: true)
      try stage.send(skipping: 1)
      try stage.send()
      try stage.send(isKeyFrame: true)
      try stage.send()
      #expect(stage.delivered == [1, 5, 6])
      let drops = stage.delegate.drops.withLock { $0 }
      #expect(drops.map(\.sequence) == [0, 3, 4])
      #expect(
        drops.allSatisfy { $0.reason == kCMSampleBufferDroppedFrameReason_Discontinuity as String })
      let statistics = stage.output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped)
    }
  }
}

/// A connection's stand-in.
private final class CodedRoute: DeliveryRoute {
  var isEnded: Bool { false }
}

@Suite("DeliveryQueue: frames that build on each other")
struct CodedDeliveryTests {
  private let queue = DispatchQueue(label: "coded client")
  private let heard = Locked<[String]>([])
  private let delivery = DeliveryQueue<CapturedFrame, CodedRoute>()
  private let route = CodedRoute()

  init() {
    delivery.setClient(
      DeliveryQueue.Client(
        queue: queue,
        deliver: { [heard] call in
          call.begin { heard.withLock { $0.append("\(call.sample.sequence)") } }
        },
        lose: { [heard] frame, _ in heard.withLock { $0.append("\(frame.reason) \(frame.sequence)") } }))
  }

  /// Offers frames of those numbers while the client's queue is held up; `k` is a key frame, `n` one that no other refers to.
  private func offer(_ frames: String, from first: UInt32 = 0) throws {
    queue.suspend()
    for (index, kind) in frames.enumerated() {
      let picture = try CodedCamera.picture(isKeyFrame: kind == "k", isReference: kind != "n")
      let frame = CapturedFrame(
        picture: .coded(picture), timestamp: MonotonicInstant(nanoseconds: Int64(index)),
        sequence: first + UInt32(index))
      delivery.offer(frame, over: route)
    }
    queue.resume()
    delivery.settle([queue])
  }

  @Test func `frames that may wait all arrive`() throws {
    delivery.policy = .keepAll
    try offer("kppnppkpppppppppppp")
    #expect(heard.withLock { $0 } == (0..<19).map { "\($0)" })
  }

  @Test func `what waits stays, and what builds on a late frame is lost with it`() throws {
    try offer("kppp")
    #expect(heard.withLock { $0 } == ["0", "late 1", "discontinuity 2", "discontinuity 3"])
    try offer("pkp", from: 4)
    #expect(heard.withLock { $0.dropFirst(4) } == ["discontinuity 4", "5", "late 6"])
  }

  @Test func `a late frame that no other refers to takes no other with it`() throws {
    try offer("kn")
    try offer("p", from: 2)
    #expect(heard.withLock { $0 } == ["0", "late 1", "2"])
  }

  @Test func `a new client begins with a key frame, and every frame is counted`() throws {
    try offer("k")
    delivery.flush()
    try offer("p", from: 1)
    try offer("k", from: 2)
    #expect(heard.withLock { $0 } == ["0", "discontinuity 1", "2"])
    let statistics = delivery.statistics
    #expect(statistics.captured == 3 && statistics.delivered == 2 && statistics.dropped == 1)
  }
}
