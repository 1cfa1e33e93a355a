internal import CaptureDevice
internal import Foundation
internal import Linux

/// The faults in the streams of one device, as pure functions of time and frame number.
struct StreamFaults: Sendable {
  /// Whether there is no fault.
  let isEmpty: Bool
  private let faults: [SceneFault]
  private let installation: MonotonicInstant
  private let seed: UInt64
  private let id: String
  /// The greatest delay of an arrival in seconds.
  private(set) var jitter = 0.0
  /// The seconds from the start to the first exposure.
  private(set) var startDelay = 0.0
  /// The seconds that opening takes.
  private(set) var openDelay = 0.0
  /// The most buffers that the device has.
  private(set) var bufferLimit = Int.max
  /// The rate of the microphone's clock: 1 is right.
  private(set) var audioRate = 1.0

  /// Those of a device.
  init(_ facts: DeviceFacts, _ world: SimulatedWorld) {
    id = facts.uniqueID
    faults = world.scene.faults.filter { fault in
      // A shutter that no device is named for is a camera's.
      if case .privacy = fault.kind, fault.device == nil, facts.media == [.audio] { return false }
      return fault.hits(facts.uniqueID)
    }
    isEmpty = faults.isEmpty
    installation = world.installation
    seed = world.scene.seed
    for fault in faults {
      switch fault.kind {
      case .jitter(let milliseconds): jitter = max(jitter, milliseconds / 1000)
      case .slowStart(let milliseconds): startDelay = max(startDelay, milliseconds / 1000)
      case .slowOpen(let milliseconds): openDelay = max(openDelay, milliseconds / 1000)
      case .fewBuffers(let count): bufferLimit = min(bufferLimit, max(count, 1))
      case .drift(let millionths): audioRate *= 1 + millionths / 1e6
      default: break
      }
    }
  }

  /// The reason of the interruption `seconds` after the stream's start, or `nil` when there is none.
  func interruption(at seconds: Double, now: MonotonicInstant) -> StreamInterruption? {
    for fault in faults {
      if case .privacy(let length) = fault.kind, seconds >= fault.at, seconds < fault.at + length {
        return .privacy
      }
    }
    return isBusy(at: now) ? .inUseByAnotherClient : nil
  }

  /// Whether another client holds the device.
  func isBusy(at now: MonotonicInstant) -> Bool {
    faults.contains { fault in
      guard case .busy(let seconds) = fault.kind else { return false }
      let begin = installation.advanced(by: fault.at)
      return now >= begin && seconds.map { now < begin.advanced(by: $0) } ?? true
    }
  }

  /// Whether nothing comes.
  func isStalled(at seconds: Double) -> Bool {
    faults.contains { fault in
      if case .stall(let length) = fault.kind {
        seconds >= fault.at && seconds < fault.at + length
      } else {
        false
      }
    }
  }

  /// Whether this frame is lost.
  func drops(_ sequence: UInt32, at seconds: Double) -> Bool {
    faults.contains { fault in
      guard case .drop(let rate) = fault.kind, seconds >= fault.at else { return false }
      return Chance(seed, "drop", UInt64(sequence), whose: id).fraction < rate
    }
  }

  /// Whether this frame's bytes are damaged.
  func corrupts(_ sequence: UInt32, at seconds: Double) -> Bool {
    faults.contains { fault in
      guard case .corrupt(let rate) = fault.kind, seconds >= fault.at else { return false }
      return Chance(seed, "corrupt", UInt64(sequence), whose: id).fraction < rate
    }
  }

  /// The delay of this frame in seconds.
  func delay(of sequence: UInt32) -> Double {
    jitter == 0 ? 0 : jitter * Chance(seed, "jitter", UInt64(sequence), whose: id).fraction
  }

  /// `bytes` as a bad cable leaves them: cut short, and every other time with some of them overwritten.
  func damaged(_ bytes: Data, _ sequence: UInt32) -> Data {
    let chance = Chance(seed, "damage", UInt64(sequence), whose: id)
    // Always cut, because damage inside the picture's data need not be an error, and this fault must lead to one.
    let kept = bytes.count / 4 + Int((chance.bits >> 8) % UInt64(max(bytes.count / 2, 1)))
    var damaged = Data(bytes.prefix(kept))
    guard chance.bits & 1 == 1, !damaged.isEmpty else { return damaged }
    // The headers too: what a decoder must survive is not only noise in the picture.
    for index in 0..<max(kept / 64, 8) {
      let byte = Chance(chance.bits, "byte", UInt64(index)).bits
      damaged[Int(byte % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: byte >> 40)
    }
    return damaged
  }
}

/// The present interruption of a stream, which makes the events of its changes.
struct InterruptionChanges {
  private var present: StreamInterruption?

  /// Notes the interruption of now, and returns the events for the client.
  mutating func update(to new: StreamInterruption?) -> [StreamEvent] {
    guard new != present else { return [] }
    defer { present = new }
    return (present == nil ? [] : [.resumed]) + (new.map { [.interrupted($0)] } ?? [])
  }
}
