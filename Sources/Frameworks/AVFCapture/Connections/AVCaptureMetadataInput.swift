public import AVFCore
public import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Timed metadata that a program brings to a session: places, headings, what it has found in the pictures.
///
/// It has one port, of media type `metadata`, and in a movie its own track, which an `AVAssetReaderOutputMetadataAdaptor` reads. A
/// session never connects it by itself: add it with ``AVCaptureSession/addInputWithNoConnections(_:)``, then a connection from its port to
/// an ``AVCaptureMovieFileOutput``. Several inputs may lead to one movie. Thread-safe.
///
/// Source: [AVCaptureMetadataInput](https://developer.apple.com/documentation/avfoundation/avcapturemetadatainput), and Apple's sample
/// AVMetadataRecordPlay.
open class AVCaptureMetadataInput: AVCaptureInput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// What groups may hold.
  let format: CMFormatDescription
  private let clock: CMClock
  /// The newest group, also while nothing is recorded.
  ///
  /// The lock is held while a group is handed on, so that all outputs get groups in the order in which they were accepted.
  private let newest = Locked<TimedMetadata?>(nil)

  /// An input for metadata of a format.
  ///
  /// - Parameters:
  ///   - desc: What groups may hold: boxed metadata (`kCMMetadataFormatType_Boxed`) with a key for each kind of item; see
  ///     `AVTimedMetadataGroup.copyFormatDescription()`. With another format, which is a programming mistake, the input has no port.
  ///   - clock: The clock of the groups' times, such as ``AVCaptureSession/synchronizationClock``. It is compared with the devices'
  ///     clock at each group.
  ///
  /// Apple: `AVCaptureMetadataInput.init(formatDescription:clock:)`.
  public init(formatDescription desc: CMMetadataFormatDescription, clock: CMClock) {
    format = desc
    self.clock = clock
    super.init()
    guard CMFormatDescriptionGetMediaType(desc) == kCMMediaType_Metadata,
      CMFormatDescriptionGetMediaSubType(desc) == kCMMetadataFormatType_Boxed
    else {
      ProgrammingMistake.report(
        rule: "AVCaptureMetadataInput takes a format of boxed metadata (kCMMetadataFormatType_Boxed).")
      return
    }
    setPorts([Port(.metadata, of: self, from: .client(desc, clock))])
  }

  /// Brings a group to the session: its items hold from the start of its time range on.
  ///
  /// They hold until the range ends or, where its duration is not numeric, until the next group; a group without items says that
  /// there is no metadata. Does not wait. What comes while nothing is recorded is kept until the next group, and so describes the
  /// beginning of a recording that begins meanwhile.
  ///
  /// - Parameter metadata: Its times are the input's clock's; it begins after the group before it.
  /// - Throws: ``AVError``: `mediaDiscontinuity` when it begins at no time, or not after the group before it; `mediaChanged` when it holds
  ///   what the input's format does not describe, or a value of another type. What came before stays as it is.
  ///
  /// Apple: `AVCaptureMetadataInput.append(_:)`.
  /// - Note: Apple's documentation names no errors; the codes are ours.
  open func append(_ metadata: AVTimedMetadataGroup) throws {
    let range = metadata.timeRange
    guard range.start.isNumeric else {
      throw AVError(
        .mediaDiscontinuity,
        because:
          "The metadata was not taken because its time range has no start; give it a time of the input's clock."
      )
    }
    let data: Data
    do throws(MetadataRefusal) {
      data = try BoxedMetadata.data(of: metadata.items, in: format)
    } catch {
      throw AVError(.mediaChanged, because: "The metadata was not taken because \(error.text)")
    }
    let group = TimedMetadata(
      start: range.start, end: range.duration.isNumeric ? range.end : nil, data: data, clock: clock)
    // Found before, and let go of after, the lock is held: nothing may end under it.
    let receivers = receivers
    let isTaken = newest.withLock { newest in
      if let newest, group.start <= newest.start { return false }
      newest = group
      for (connection, receiver) in receivers { receiver.receive(group, over: connection) }
      return true
    }
    guard isTaken else {
      throw AVError(
        .mediaDiscontinuity,
        because:
          "The metadata was not taken because it does not begin after the group that was appended before it.")
    }
  }

  /// Hands the newest group on to an output that begins to take metadata.
  func offerNewest(over connection: AVCaptureConnection) {
    guard let (_, receiver) = receivers.first(where: { $0.0 === connection }) else { return }
    newest.withLock { newest in
      if let newest { receiver.receive(newest, over: connection) }
    }
  }

  /// Where groups go at present.
  private var receivers: [(AVCaptureConnection, any TimedMetadataReceiver)] {
    guard let port = ports.first, port.isEnabled, let owner = membership.owner else { return [] }
    return owner.outputs.flatMap { output -> [(AVCaptureConnection, any TimedMetadataReceiver)] in
      guard let receiver = output as? any TimedMetadataReceiver else { return [] }
      return output.connections.filter { connection in
        connection.isActive && connection.isEnabled && connection.inputPorts.contains { $0 === port }
      }.map { ($0, receiver) }
    }
  }
}
