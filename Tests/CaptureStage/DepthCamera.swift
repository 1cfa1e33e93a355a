package import AVFoundation
package import CaptureDevice
package import DepthMaps
package import Foundation
package import Linux
package import SimulatedDevices
import Testing
import Waiting

/// A camera that measures depth beside its frames, a map whenever a test says so.
package final class DepthCamera: CaptureDeviceDriver {
  private struct State {
    var receiver: (@Sendable (StreamEvent) -> Void)?
    var configuration: StreamConfiguration?
    var sequence: UInt32 = 0
    var opened = 0
  }

  package let facts: DeviceFacts
  /// Counts what follows from its frames; it shows no time of theirs and is never moved.
  package let clock = SimulatedClock()
  private let state = Locked(State())

  /// Maps of these sizes beside frames of the given shape, in all four pixel formats, half disparities last.
  package static func depthFormats(_ sizes: [FrameSize], rates: [Int32] = [30, 15]) -> [DepthStreamFormat] {
    sizes.flatMap { size in
      DepthFormat.pixelFormats.reversed().map { format in
        DepthStreamFormat(
          size: size, pixelFormat: format,
          frameDurations: rates.map { FrameDuration(1, $0)...FrameDuration(1, $0) })
      }
    }
  }

  /// Formats with maps of two sizes, with one, and the largest without any.
  package init(uniqueID: String = "depth", lens: LensFacts? = nil) {
    var formats = [(64, 48), (96, 54), (160, 120)].map { width, height in
      StreamFormat(
        size: FrameSize(width: width, height: height),
        encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
        frameDurations: [FrameDuration(1, 60)...FrameDuration(1, 5)], isPhotoQuality: width == 160)
    }
    formats[0].depthFormats = Self.depthFormats([
      FrameSize(width: 4, height: 3), FrameSize(width: 8, height: 6),
    ])
    formats[1].depthFormats = Self.depthFormats([FrameSize(width: 8, height: 4)])
    facts = DeviceFacts(
      uniqueID: uniqueID, modelID: "Depth", name: "Depth Camera", manufacturer: "", kind: .trueDepthCamera,
      position: .front, media: [.video, .depth], formats: formats, lens: lens, sensorRotation: 90)
  }

  /// The requested configuration of the running stream; `nil` while none runs.
  package var configuration: StreamConfiguration? {
    state.withLock { $0.receiver == nil ? nil : $0.configuration }
  }

  /// The number of times that it was opened.
  package var opened: Int { state.withLock { $0.opened } }

  /// The next event's number, or `number`, as of a sensor that measures frame and map at once; its moment by a clock of thirty a second,
  /// or `time`.
  private func next(_ number: UInt32?, _ time: MonotonicInstant? = nil) throws -> (
    receive: @Sendable (StreamEvent) -> Void, sequence: UInt32, time: MonotonicInstant
  ) {
    let (receiver, sequence) = state.withLock { state in
      let sequence = number ?? state.sequence
      state.sequence = max(state.sequence, sequence + 1)
      return (state.receiver, sequence)
    }
    return (
      try #require(receiver), sequence,
      time ?? MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(sequence) * 33_333_333)
    )
  }

  /// Sends a map of these metres in the format that is measured in; `units` as a sensor's own millimetres instead.
  @discardableResult
  package func send(
    _ metres: [Float], units: Bool = false, number: UInt32? = nil, at time: MonotonicInstant? = nil
  ) throws -> CVPixelBuffer {
    let depth = try #require(configuration?.depth)
    let (receive, sequence, time) = try next(number, time)
    let size = depth.format.size
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, size.width, size.height,
      units ? kCVPixelFormatType_OneComponent16 : depth.format.pixelFormat, nil, &buffer)
    let map = try #require(buffer)
    if units {
      CVPixelBufferLockBaseAddress(map, [])
      let base = try #require(CVPixelBufferGetBaseAddress(map))
      for (index, metres) in metres.enumerated() {
        let offset = index / size.width * CVPixelBufferGetBytesPerRow(map) + index % size.width * 2
        let millimetres = metres.isNaN ? 0 : UInt16((metres * 1000).rounded())
        base.storeBytes(of: millimetres, toByteOffset: offset, as: UInt16.self)
      }
      CVPixelBufferUnlockBaseAddress(map, [])
    } else {
      try DepthMap(width: size.width, height: size.height, quantity: .depth, values: metres).write(to: map)
    }
    receive(
      .depth(
        CapturedDepth(
          map: map, metresPerUnit: units ? 0.001 : nil, timestamp: time, sequence: sequence,
          inFlight: clock.token())))
    return map
  }

  /// Counts a map that it does not deliver.
  package func lose(_ reason: DropReason, number: UInt32? = nil, at time: MonotonicInstant? = nil) throws {
    let (receive, sequence, time) = try next(number, time)
    receive(
      .depthDropped(
        DroppedFrame(sequence: sequence, timestamp: time, reason: reason, inFlight: clock.token())))
  }

  /// Counts a frame that it does not deliver.
  package func loseFrame(
    _ reason: DropReason, number: UInt32? = nil, at time: MonotonicInstant? = nil
  ) throws {
    let (receive, sequence, time) = try next(number, time)
    receive(
      .dropped(DroppedFrame(sequence: sequence, timestamp: time, reason: reason, inFlight: clock.token())))
  }

  /// Sends a frame of colours.
  package func sendFrame(number: UInt32? = nil, at time: MonotonicInstant? = nil) throws {
    let size = try #require(configuration).size
    let (receive, sequence, time) = try next(number, time)
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, size.width, size.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &buffer)
    receive(
      .frame(
        CapturedFrame(
          picture: .pixels(try #require(buffer)), timestamp: time, sequence: sequence, inFlight: clock.token()
        )))
  }

  /// Goes away.
  package func fail() throws {
    try next(nil).receive(
      .failed(CaptureDeviceError(.disconnected, "The camera was pulled out; plug it in.")))
  }

  // MARK: CaptureDeviceDriver

  package func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError)
    -> any CaptureStream
  {
    state.withLock { $0.opened += 1 }
    return HandStream(configuration) { [self] receiver in
      state.withLock { state in
        state.receiver = receiver
        state.configuration = configuration
        state.sequence = 0
      }
    } end: { [self] in
      state.withLock { $0.receiver = nil }
    }
  }
}

/// A session with a ``DepthCamera`` and a depth data output.
///
/// Installs the process's devices: belongs in ``DeviceSuites``.
package final class DepthStage {
  package let camera: DepthCamera
  package let device: AVCaptureDevice
  package let session = AVCaptureSession()
  package let output = AVCaptureDepthDataOutput()
  package let delegate = RecordingDepthDelegate()
  package let queue = DispatchQueue(label: "depth")

  /// With `preset`, or with the camera's first format where that is `nil`.
  package init(lens: LensFacts? = nil, preset: AVCaptureSession.Preset? = nil) throws {
    camera = DepthCamera(uniqueID: "depth.\(UUID().uuidString)", lens: lens)
    OneCamera.install(camera, name: "depth", clock: camera.clock)
    device = try #require(AVCaptureDevice(uniqueID: camera.facts.uniqueID))
    session.sessionPreset = preset ?? .inputPriority
    session.addInput(try AVCaptureDeviceInput(device: device))
    if preset == nil {
      try device.lockForConfiguration()
      device.activeFormat = device.formats[0]
      device.unlockForConfiguration()
    }
    session.addOutput(output)
    output.setDelegate(delegate, callbackQueue: queue)
  }

  deinit {
    session.stopRunning()
    OneCamera.uninstall()
  }

  /// Chooses the maps' format in the camera's present one.
  package func choose(_ pixelFormat: OSType, width: Int = 4) throws {
    let format = try #require(
      device.activeFormat.supportedDepthDataFormats.first {
        CMFormatDescriptionGetMediaSubType($0.formatDescription) == pixelFormat
          && CMVideoFormatDescriptionGetDimensions($0.formatDescription).width == Int32(width)
      })
    try device.lockForConfiguration()
    device.activeDepthDataFormat = format
    device.unlockForConfiguration()
  }

  /// Waits for all that follows from what was sent and done.
  package func settle() { camera.clock.settle() }

  /// Sends a map and returns it as the delegate gets it.
  package func deliver(_ metres: [Float], units: Bool = false) throws -> AVDepthData {
    let before = delegate.maps.withLock { $0.count }
    try camera.send(metres, units: units)
    settle()
    try #require(delegate.maps.withLock { $0.count } > before)
    return try #require(delegate.maps.withLock { $0.last })
  }
}

/// Writes down what a depth data output reports.
package final class RecordingDepthDelegate: NSObject, AVCaptureDepthDataOutputDelegate, Sendable {
  package let maps = Monitor<[AVDepthData]>([])
  package let times = Locked<[CMTime]>([])
  package let drops = Locked<[(AVDepthData, AVCaptureOutput.DataDroppedReason)]>([])
  /// Called with each map, before it is written down.
  package let visit = Locked<(@Sendable () -> Void)?>(nil)

  package func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    visit.withLock { $0 }?()
    times.withLock { $0.append(timestamp) }
    maps.withLock { $0.append(depthData) }
  }

  package func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
  ) {
    drops.withLock { $0.append((depthData, reason)) }
  }
}

extension AVDepthData {
  /// The map as numbers.
  package var numbers: DepthMap {
    get throws {
      var map = DepthMap()
      try map.read(depthDataMap)
      return map
    }
  }
}
