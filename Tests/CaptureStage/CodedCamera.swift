package import AVFoundation
package import CaptureDevice
import Foundation
import Linux
package import SimulatedDevices
import Testing
import Waiting

/// A camera that can send pixels or H.264, a frame whenever a test says so.
///
/// Its access units are pictures only with ``CodedPictures``; else nothing may look into them.
package final class CodedCamera: CaptureDeviceDriver {
  private struct State {
    var receiver: (@Sendable (StreamEvent) -> Void)?
    var encoding: FrameEncoding?
    var sequence: UInt32 = 0
    var times: [UInt32: Int64] = [:]
  }

  package let facts: DeviceFacts
  /// Counts what follows from its frames; it shows no time of theirs and is never moved.
  package let clock = SimulatedClock()
  private let state = Locked(State())
  private let pictures: CodedPictures?
  /// When a frame was exposed, in nanoseconds: as it was sent for real pictures, which are photographed and recorded.
  package func time(of sequence: UInt32) -> Int64 {
    state.withLock { $0.times[sequence] } ?? 1_000_000_000 + Int64(sequence) * 33_333_333
  }

  package static let size = FrameSize(width: 64, height: 48)
  package static let pixels = FrameEncoding.pixels(kCVPixelFormatType_422YpCbCr8_yuvs)

  /// Parameter sets of pictures of that size, in the high profile.
  package static let parameterSets: [[UInt8]] = [
    [
      0x67, 0x64, 0x00, 0x0A, 0xAC, 0xB4, 0x23, 0xD8, 0x0B, 0x50, 0x10, 0x10, 0x14, 0x00, 0x00, 0x03, 0x00,
      0x04,
      0x00, 0x00, 0x03, 0x00, 0xF2, 0x3C, 0x48, 0x9A, 0x80,
    ],
    [0x68, 0xEF, 0x02, 0x5C, 0xB0],
  ]

  private static let description = try? CMVideoFormatDescription(
    h264ParameterSets: parameterSets.map { Data($0) })

  package init(
    uniqueID: String = "coded", encodings: [FrameEncoding] = [CodedCamera.pixels, .h264],
    pictures: CodedPictures? = nil
  ) {
    self.pictures = pictures
    let formats = encodings.flatMap { encoding in
      [Self.size, FrameSize(width: 3840, height: 2160)].map { size in
        StreamFormat(
          size: size, encoding: encoding, frameDurations: [FrameDuration(1, 30)...FrameDuration(1, 30)],
          isPhotoQuality: !encoding.isCoded)
      }
    }.sorted { $0.size.width < $1.size.width }
    facts = DeviceFacts(
      uniqueID: uniqueID, modelID: "Coded", name: "Coded Camera", manufacturer: "", kind: .externalCamera,
      position: .unspecified, media: [.video], formats: formats)
  }

  /// The encoding that it streams; `nil` while it does not.
  package var encoding: FrameEncoding? { state.withLock { $0.receiver == nil ? nil : $0.encoding } }

  /// An access unit with one slice.
  package static func picture(isKeyFrame: Bool, isReference: Bool = true, _ fill: UInt8 = 7) throws
    -> CodedPicture
  {
    let header: UInt8 = (isReference ? 0x60 : 0) | (isKeyFrame ? 5 : 1)
    let bytes: [UInt8] = [0, 0, 0, 4, header, 0x80, fill, 1]
    return CodedPicture(
      data: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, format: try #require(description),
      isKeyFrame: isKeyFrame, isReference: isReference)
  }

  /// Sends a frame in the format that is streamed, without waiting for anybody; `skipping` are numbers that are left out.
  package func send(isKeyFrame: Bool = false, isReference: Bool = true, skipping: UInt32 = 0) throws {
    let (receiver, encoding, sequence) = state.withLock { state in
      defer { state.sequence += 1 + skipping }
      let sequence = state.sequence + skipping
      if pictures != nil { state.times[sequence] = MonotonicInstant.now.nanoseconds }
      return (state.receiver, state.encoding, sequence)
    }
    let receive = try #require(receiver)
    let picture: CapturedFrame.Picture
    if let encoding, encoding.isCoded {
      picture = .coded(
        try pictures?.picture(sequence, encoding, isKeyFrame: isKeyFrame)
          ?? Self.picture(
            isKeyFrame: isKeyFrame, isReference: isReference, UInt8(truncatingIfNeeded: sequence)))
    } else {
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(
        nil, Self.size.width, Self.size.height, kCVPixelFormatType_422YpCbCr8_yuvs, nil, &buffer)
      picture = .pixels(try #require(buffer))
    }
    receive(
      .frame(
        CapturedFrame(
          picture: picture,
          timestamp: MonotonicInstant(nanoseconds: time(of: sequence)),
          sequence: sequence, inFlight: clock.token())))
  }

  // MARK: CaptureDeviceDriver

  package var controlState: ControlState { ControlState() }

  package func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError)
    -> any CaptureStream
  {
    HandStream(configuration) { [self] receiver in
      state.withLock { state in
        state.receiver = receiver
        state.encoding = configuration.format.encoding
        state.sequence = 0
        state.times = [:]
      }
    } end: { [self] in
      state.withLock { $0.receiver = nil }
    }
  }
}

/// A session with a ``CodedCamera``.
///
/// Installs the process's devices: belongs in ``DeviceSuites``.
package final class CodedStage {
  package let camera: CodedCamera
  package let device: AVCaptureDevice
  package let session = AVCaptureSession()
  package let news: SessionNews
  package let output = AVCaptureVideoDataOutput()
  package let delegate = RecordingVideoDelegate()
  package let queue = DispatchQueue(label: "coded")

  package init(
    encodings: [FrameEncoding] = [CodedCamera.pixels, .h264], pictures: CodedPictures? = nil
  ) throws {
    // Of its own name, so that no stage finds the AVCaptureDevice of another.
    camera = CodedCamera(uniqueID: "coded.\(UUID().uuidString)", encodings: encodings, pictures: pictures)
    OneCamera.install(camera, name: "coded", clock: camera.clock)
    device = try #require(AVCaptureDevice(uniqueID: camera.facts.uniqueID))
    news = SessionNews(session)
    output.setSampleBufferDelegate(delegate, queue: queue)
  }

  deinit {
    session.stopRunning()
    OneCamera.uninstall()
  }

  package func format(_ encoding: FrameEncoding, width: Int = 64) throws -> AVCaptureDevice.Format {
    try #require(
      device.formats.first { $0.streamFormat?.encoding == encoding && $0.streamFormat?.size.width == width })
  }

  /// Adds the camera in that format, and the output with `settings`.
  package func add(_ encoding: FrameEncoding = .h264, width: Int = 64, settings: [String: Any]? = [:]) throws
  {
    session.sessionPreset = .inputPriority
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(output)
    output.videoSettings = settings
    try choose(encoding, width: width)
  }

  package func choose(_ encoding: FrameEncoding, width: Int = 64) throws {
    try device.lockForConfiguration()
    device.activeFormat = try format(encoding, width: width)
    device.unlockForConfiguration()
  }

  /// Sends a frame and waits until the delegate has heard of it.
  package func send(isKeyFrame: Bool = false, skipping: UInt32 = 0) throws {
    let reported = heard
    try camera.send(isKeyFrame: isKeyFrame, skipping: skipping)
    settle()
    #expect(heard > reported)
  }

  /// Waits for all that follows from what was sent and done.
  package func settle() { camera.clock.settle() }

  package var heard: Int { delegate.count.withLock { $0 } + delegate.drops.withLock { $0.count } }
  package var delivered: [UInt32?] { delegate.samples.withLock { $0.map(\.sequence) } }
}
