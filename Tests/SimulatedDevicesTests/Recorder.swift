import CaptureDevice
import CoreMedia
import CoreVideo
import Linux
import SimulatedDevices

/// A receiver that writes down all events and keeps the frames, without holding a manual clock up.
final class Recorder: Sendable {
  struct Log: Sendable {
    var frames: [CapturedFrame] = []
    var sounds: [CapturedAudio] = []
    var drops: [DroppedFrame] = []
    var depths: [CapturedDepth] = []
    var depthDrops: [DroppedFrame] = []
    /// Every event in a word.
    var words: [String] = []
    var failure: CaptureDeviceError?
  }

  private let log = Locked(Log())
  private let keepsFrames: Bool

  init(keepsFrames: Bool = true) {
    self.keepsFrames = keepsFrames
  }

  var now: Log { log.withLock { $0 } }

  func receive(_ event: StreamEvent) {
    log.withLock { log in
      switch event {
      case .frame(var frame):
        frame.inFlight = nil
        log.words.append("frame")
        if keepsFrames { log.frames.append(frame) }
      case .audio(var audio):
        audio.inFlight = nil
        log.words.append("sound")
        log.sounds.append(audio)
      case .depth(var depth):
        depth.inFlight = nil
        log.words.append("depth")
        log.depths.append(depth)
      case .depthDropped(var drop):
        drop.inFlight = nil
        log.words.append("depth dropped")
        log.depthDrops.append(drop)
      case .dropped(var drop):
        drop.inFlight = nil
        log.words.append("dropped")
        log.drops.append(drop)
      case .interrupted(let reason): log.words.append("interrupted \(reason)")
      case .resumed: log.words.append("resumed")
      case .failed(let error):
        log.words.append("failed \(error.code)")
        log.failure = error
      }
    }
  }
}

extension CapturedFrame {
  /// The picture's buffer; `nil` for JPEG.
  var buffer: CVPixelBuffer? {
    if case .pixels(let buffer) = picture { buffer } else { nil }
  }
}

extension CVPixelBuffer {
  func luma(_ x: Int, _ y: Int) -> UInt8 { planes[0].row(y)[x] }

  /// Mean luma of a rectangle.
  func meanLuma(_ columns: Range<Int>, _ rows: Range<Int>) -> Double {
    var sum = 0
    for row in rows {
      let bytes = planes[0].row(row)
      for column in columns { sum += Int(bytes[column]) }
    }
    return Double(sum) / Double(columns.count * rows.count)
  }

  /// FNV-1a over the visible bytes of all planes.
  var checksum: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for (index, plane) in planes.enumerated() {
      for row in 0..<plane.height {
        for byte in plane.row(row).prefix(plane.width * (index == 0 ? 1 : 2)) {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
    }
    return hash
  }
}

/// A scene with one small camera on a clock moved by hand.
struct Stage {
  let clock = SimulatedClock()
  let provider: SimulatedDeviceProvider
  let camera: SimulatedDevice

  init(
    _ scene: Scene = Scene(), model: SimulatedDeviceModel = .camera(), access: SimulatedAccess = .granted
  ) throws {
    var scene = scene
    scene.devices = [model]
    provider = SimulatedDeviceProvider(scene: scene, clock: clock, access: access)
    guard let camera = provider.device(model.facts.uniqueID) else {
      throw CaptureDeviceError(.disconnected, "The model's device is missing.")
    }
    self.camera = camera
  }

  func open(
    _ format: StreamFormat? = nil, rate: Int32 = 30, buffers: Int = 1024
  ) throws -> SimulatedStream {
    let format = format ?? camera.facts.formats[1]
    let configuration = StreamConfiguration(
      format: format, frameDuration: FrameDuration(1, rate), bufferCount: buffers)
    guard let stream = try camera.openStream(configuration) as? SimulatedStream else {
      throw CaptureDeviceError(.ioFailure, "A simulated device opened another's stream.")
    }
    return stream
  }

  /// The frames of the first `seconds`.
  func frames(seconds: Double, rate: Int32 = 30) throws -> [CapturedFrame] {
    let stream = try open(rate: rate, buffers: 256)
    let recorder = Recorder()
    try stream.start(recorder.receive)
    clock.advance(by: .seconds(seconds))
    stream.stop()
    return recorder.now.frames
  }
}
