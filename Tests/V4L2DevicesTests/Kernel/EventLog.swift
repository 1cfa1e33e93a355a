import CaptureDevice
import CoreMedia
import CoreVideo
import Foundation
import Linux
import StreamParts
import V4L2Devices

/// Collects what a stream reports, and waits for it.
final class EventLog: Sendable {
  struct Seen: Sendable {
    var frames: [CapturedFrame] = []
    var sequences: [UInt32] = []
    var times: [MonotonicInstant] = []
    var drops: [DroppedFrame] = []
    var maps: [CapturedDepth] = []
    var mapTimes: [MonotonicInstant] = []
    var mapDrops: [DroppedFrame] = []
    /// As ``order``, of depth maps.
    var mapOrder: [Int] = []
    var failure: CaptureDeviceError?
    /// Everything in order: frames as their numbers, drops as their numbers below zero less one.
    var order: [Int] = []
  }

  private let seen = Monitor(Seen())
  private let keepsFrames: Bool

  init(keepsFrames: Bool = false) {
    self.keepsFrames = keepsFrames
  }

  var receive: @Sendable (StreamEvent) -> Void {
    { [self] event in
      seen.withLock { seen in
        switch event {
        case .frame(let frame):
          if keepsFrames { seen.frames.append(frame) }
          seen.sequences.append(frame.sequence)
          seen.times.append(frame.timestamp)
          seen.order.append(Int(frame.sequence))
        case .dropped(let drop):
          seen.drops.append(drop)
          seen.order.append(-1 - Int(drop.sequence))
        case .depth(let depth):
          if keepsFrames { seen.maps.append(depth) }
          seen.mapTimes.append(depth.timestamp)
          seen.mapOrder.append(Int(depth.sequence))
        case .depthDropped(let drop):
          seen.mapDrops.append(drop)
          seen.mapOrder.append(-1 - Int(drop.sequence))
        case .failed(let error): seen.failure = error
        case .audio, .interrupted, .resumed: break
        }
      }
    }
  }

  var now: Seen { seen.withLock { $0 } }

  func releaseFrames(_ count: Int = .max) {
    let released = seen.withLock { seen in
      let released = Array(seen.frames.prefix(count))
      seen.frames.removeFirst(released.count)
      return released
    }
    withExtendedLifetime(released) {}
  }

  func releaseMaps(_ count: Int = .max) {
    let released = seen.withLock { seen in
      let released = Array(seen.maps.prefix(count))
      seen.maps.removeFirst(released.count)
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Waits until `isSatisfied`, at most half a minute; false when it is not by then.
  @discardableResult
  func wait(_ isSatisfied: (Seen) -> Bool) -> Bool {
    seen.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: isSatisfied, then: { _ in }) != nil
  }
}

extension ScriptedKernel {
  /// The only camera of this kernel.
  func camera(silenceNanoseconds: Int64 = SilenceTimeout.longNanoseconds) throws -> V4L2Camera {
    let cameras = V4L2DeviceProvider(
      kernel: self, timeout: SilenceTimeout(nanoseconds: silenceNanoseconds)
    ).cameras()
    guard let camera = cameras.first else { throw Missing.camera }
    return camera
  }

  enum Missing: Error {
    case camera, format, picture
  }
}

extension V4L2Camera {
  /// A stream of the first format that is so encoded, or of the first.
  func open(_ encoding: FrameEncoding? = nil, bufferCount: Int = 4) throws -> any CaptureStream {
    guard let format = facts.formats.first(where: { encoding == nil || $0.encoding == encoding }) else {
      throw ScriptedKernel.Missing.format
    }
    return try openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30), bufferCount: bufferCount))
  }
}

extension CapturedDepth {
  /// The address of the map's first byte.
  var address: UInt { UInt(bitPattern: map.planes[0].baseAddress) }
}

extension CapturedFrame {
  /// The address of the picture's first byte.
  var address: UInt? {
    guard case .pixels(let buffer) = picture else { return nil }
    return UInt(bitPattern: buffer.planes[0].baseAddress)
  }

  /// The picture's first byte.
  var firstByte: UInt8? {
    guard case .pixels(let buffer) = picture else { return nil }
    return buffer.planes[0].baseAddress.load(as: UInt8.self)
  }
}
