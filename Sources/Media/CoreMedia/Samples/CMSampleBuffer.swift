package import CoreVideo
internal import Foundation
public import FoundationExtras
internal import Linux

/// Samples of one stream, with their times, sizes, format and attachments: a picture, or compressed data, or audio.
///
/// The picture or data is referred to, never copied. Format, picture, times and sizes never change; the rest (data that
/// comes later, attachments, output time, validity) may be changed from any thread.
///
/// A stream's picture is one small allocation: what other samples have besides, and what may change, are objects that are made
/// when first needed.
///
/// Apple: `CMSampleBuffer`.
public final class CMSampleBuffer: @unchecked Sendable {  // Safe: `lock` guards `state`.
  let format: CMFormatDescription?
  let image: CVImageBuffer?
  let sampleCount: Int
  /// `nil` for a stream's picture: one sample of ``streamTime``.
  private let layout: Layout?
  private let streamTime: CMTime
  private let lock: Lock
  @exclusivity(unchecked) private var changes: Changes?
  private let prepared: PreparedAttachments?
  private let number: UInt32

  /// The times and the sizes of the samples.
  private final class Layout: @unchecked Sendable {  // Safe because nothing changes after `init`.
    let timings: SampleTimings
    let sizes: SampleSizes
    let packets: PacketDescriptions?

    init(_ timings: SampleTimings, _ sizes: SampleSizes, _ packets: PacketDescriptions?) {
      self.timings = timings
      self.sizes = sizes
      self.packets = packets
    }
  }

  /// The holder of the state once it differs from that of a fresh picture.
  private final class Changes {
    var state: State

    init(_ state: State) { self.state = state }
  }

  /// The part of a buffer that may change after the buffer was made.
  struct State {
    var data: CMBlockBuffer?
    var readiness = CMSampleBuffer.DataReadiness.ready
    var isValid = true
    var isMakingReady = false
    var makeReady: CMSampleBufferMakeDataReadyHandler?
    var invalidated: ((CMSampleBuffer) throws -> Void)?
    /// Whose data counts as this one's.
    var tracked: CMSampleBuffer?
    /// Whose data this one shares when it comes.
    var original: CMSampleBuffer?
    var outputPresentationTimeStamp = CMTime.invalid
    var sampleAttachments: [NSMutableDictionary]?
    /// Made when first asked for.
    var attachmentTable: AttachmentTable?
  }

  init(
    data: CMBlockBuffer?, image: CVImageBuffer?, format: CMFormatDescription?, sampleCount: Int,
    timings: SampleTimings, sizes: SampleSizes, packets: PacketDescriptions? = nil,
    readiness: DataReadiness = .ready, makeReady: CMSampleBufferMakeDataReadyHandler? = nil
  ) {
    self.format = format
    self.image = image
    self.sampleCount = sampleCount
    layout = Layout(timings, sizes, packets)
    streamTime = .invalid
    prepared = nil
    number = 0
    lock = Lock()
    changes = Changes(State(data: data, readiness: readiness, makeReady: makeReady))
  }

  /// Wraps one picture, without checking that the format describes it: that is the caller's promise.
  ///
  /// - Parameter imageBuffer: `nil` for a frame that was dropped, of which only format, time and reason are known.
  package convenience init(
    picture imageBuffer: CVImageBuffer?, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo
  ) {
    self.init(
      data: nil, image: imageBuffer, format: formatDescription, sampleCount: 1, timings: .one(timing),
      sizes: .none)
  }

  /// Wraps one picture of a stream, without checking that the format describes it.
  ///
  /// - Parameters:
  ///   - nanoseconds: When it was taken; it has no duration.
  ///   - attachments: What every sample of the stream carries.
  ///   - number: This sample's own, attached under the key that `attachments` names.
  package static func ofStream(
    _ picture: CVImageBuffer, formatDescription: CMFormatDescription, atNanoseconds nanoseconds: Int64,
    attachments: PreparedAttachments, number: UInt32
  ) -> CMSampleBuffer {
    CMSampleBuffer(picture, formatDescription, nanoseconds, attachments, number)
  }

  @inline(__always)
  private init(
    _ picture: CVImageBuffer, _ formatDescription: CMFormatDescription, _ nanoseconds: Int64,
    _ attachments: PreparedAttachments, _ number: UInt32
  ) {
    format = formatDescription
    image = picture
    sampleCount = 1
    layout = nil
    streamTime = CMTime(value: nanoseconds, timescale: 1_000_000_000, flags: .valid, epoch: 0)
    prepared = attachments
    self.number = number
    lock = attachments.lock
    changes = nil
  }

  /// Wraps one compressed picture of a stream.
  ///
  /// - Parameters:
  ///   - nanoseconds: When it was taken; it has no duration, and is decoded when it is shown.
  ///   - attachments: What every sample of the stream carries.
  ///   - number: This sample's own, attached under the key that `attachments` names.
  ///   - isKeyFrame: Whether decoding can begin with it; as on Apple, a key frame has no ``kCMSampleAttachmentKey_NotSync``.
  ///   - isReference: Whether other samples may build on it.
  package static func ofStream(
    coded data: CMBlockBuffer, formatDescription: CMFormatDescription, atNanoseconds nanoseconds: Int64,
    attachments: PreparedAttachments, number: UInt32, isKeyFrame: Bool, isReference: Bool
  ) -> CMSampleBuffer {
    let said = NSMutableDictionary()
    if !isKeyFrame { said.setObject(true, forKey: kCMSampleAttachmentKey_NotSync) }
    said.setObject(!isKeyFrame, forKey: kCMSampleAttachmentKey_DependsOnOthers)
    said.setObject(isReference, forKey: kCMSampleAttachmentKey_IsDependedOnByOthers)
    var state = State()
    state.data = data
    state.sampleAttachments = [said]
    return CMSampleBuffer(state, formatDescription, nanoseconds, data.dataLength, attachments, number)
  }

  private init(
    _ state: State, _ formatDescription: CMFormatDescription, _ nanoseconds: Int64, _ size: Int,
    _ attachments: PreparedAttachments, _ number: UInt32
  ) {
    format = formatDescription
    image = nil
    sampleCount = 1
    let time = CMTime(value: nanoseconds, timescale: 1_000_000_000, flags: .valid, epoch: 0)
    layout = Layout(
      .one(CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)),
      .one(size), nil)
    streamTime = .invalid
    prepared = attachments
    self.number = number
    lock = attachments.lock
    changes = Changes(state)
  }

  /// Wraps data of `sampleCount` samples that all have `sampleSize` bytes and follow each other in time.
  package convenience init(
    data: CMBlockBuffer, formatDescription: CMFormatDescription, sampleCount: Int, sampleSize: Int,
    timing: CMSampleTimingInfo
  ) {
    self.init(
      data: data, image: nil, format: formatDescription, sampleCount: sampleCount, timings: .one(timing),
      sizes: .one(sampleSize))
  }

  var timings: SampleTimings {
    layout?.timings
      ?? .one(
        CMSampleTimingInfo(
          duration: .invalid, presentationTimeStamp: streamTime, decodeTimeStamp: .invalid))
  }

  var sizes: SampleSizes { layout?.sizes ?? .none }

  var packets: PacketDescriptions? { layout?.packets }

  /// The attachments of the buffer as a whole.
  var attachmentTable: AttachmentTable {
    withState { state in
      if let table = state.attachmentTable { return table }
      let table =
        prepared.map { AttachmentTable(lock: lock, $0, number: number) } ?? AttachmentTable(lock: lock)
      state.attachmentTable = table
      return table
    }
  }

  func withState<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    let changes = changes ?? Changes(State())
    self.changes = changes
    return body(&changes.state)
  }

  /// As ``withState(_:)`` for who only looks, which leaves a stream's picture as small as it is.
  func readState<Result>(_ body: (State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(changes?.state ?? State())
  }
}

extension CMSampleBuffer: Hashable {
  /// Whether both are the same object.
  public static func == (left: CMSampleBuffer, right: CMSampleBuffer) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMSampleBuffer: CustomStringConvertible {
  /// A description for logs: count, time and format.
  public var description: String {
    let format = format.map { " \($0)" } ?? ""
    return "<CMSampleBuffer \(sampleCount) at \(timings.presentationTimeStamp.seconds) s\(format)>"
  }
}

extension CMSampleBuffer {
  /// The state of a sample buffer's data.
  ///
  /// Apple: `CMSampleBuffer.DataReadiness`.
  public enum DataReadiness: Sendable, Hashable {
    /// The data is still to come.
    case notReady
    /// The data is there.
    case ready
    /// The data will never come, for this reason.
    case failed(OSStatus)
  }
}

/// Makes the data of a sample buffer ready: sets it, calls `CMSampleBufferSetDataReady`, and returns 0.
public typealias CMSampleBufferMakeDataReadyHandler = (CMSampleBuffer) -> OSStatus
/// As ``CMSampleBufferMakeDataReadyHandler``, with the value that was handed in beside it.
public typealias CMSampleBufferMakeDataReadyCallback =
  (_ sbuf: CMSampleBuffer, _ makeDataReadyRefcon: UnsafeMutableRawPointer?) -> OSStatus
/// Is called when a sample buffer is invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void
/// As ``CMSampleBufferInvalidateHandler``, with the value that was handed in beside it.
public typealias CMSampleBufferInvalidateCallback =
  (_ sbuf: CMSampleBuffer, _ invalidateRefCon: UInt64) -> Void

/// The packets of compressed audio, at an address that stays.
final class PacketDescriptions: @unchecked Sendable {  // Safe because nothing changes after `init`.
  let buffer: UnsafeBufferPointer<AudioStreamPacketDescription>

  init(_ packets: UnsafeBufferPointer<AudioStreamPacketDescription>) {
    let memory = UnsafeMutableBufferPointer<AudioStreamPacketDescription>.allocate(capacity: packets.count)
    _ = memory.initialize(from: packets)
    buffer = UnsafeBufferPointer(memory)
  }

  deinit {
    buffer.deallocate()
  }
}
