internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import ImageIO
internal import Linux

/// The track of a movie that says how its pictures are turned and mirrored while it is recorded: EXIF's number of each orientation.
enum OrientationTrack {
  /// What its groups hold.
  static let format: CMFormatDescription = {
    guard let format = BoxedMetadata.format(of: [item(.up)]) else {
      preconditionFailure("A number has a format.")
    }
    return format
  }()

  private static func item(_ orientation: CGImagePropertyOrientation) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = .quickTimeMetadataVideoOrientation
    item.dataType = kCMMetadataBaseDataType_SInt16
    item.value = NSNumber(value: Int16(orientation.rawValue))
    return item
  }

  /// What a connection does to pictures, from a moment of a clock on.
  static func metadata(of settings: ConnectionSettings, from start: CMTime, on clock: CMClock)
    -> TimedMetadata?
  {
    let orientation = CGImagePropertyOrientation(
      rotationAngle: settings.rotation, isMirrored: settings.isMirrored)
    guard let data = try? BoxedMetadata.data(of: [item(orientation)], in: format) else { return nil }
    return TimedMetadata(start: start, end: nil, data: data, clock: clock)
  }
}

extension AVCaptureMovieFileOutput: OrientationReceiver {
  /// Whether the turns and mirrorings of a connection while it is recorded become a track of the movie; `false` at first.
  ///
  /// Another output's connection is a programming mistake.
  ///
  /// Apple: `AVCaptureMovieFileOutput.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for:)`.
  public func recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for connection: AVCaptureConnection)
    -> Bool
  {
    isOwn(connection, "recordsVideoOrientationAndMirroringChangesAsMetadataTrack")
      && wishes.withLock { $0.turns.contains(connection.id) }
  }

  /// Sets whether the turns and mirrorings of a connection become a track, from the next file on.
  ///
  /// The track's items have the identifier `AVMetadataIdentifier.quickTimeMetadataVideoOrientation` and EXIF's number of the orientation; the
  /// first says what the picture's own matrix says. A connection without video, and another output's, are programming mistakes.
  ///
  /// Apple: `AVCaptureMovieFileOutput.setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(_:for:)`.
  public func setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(
    _ doRecordChanges: Bool, for connection: AVCaptureConnection
  ) {
    let method = "setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack"
    guard isOwn(connection, method) else { return }
    guard connection.media == .video else {
      return ProgrammingMistake.report(rule: "\(method)(_:for:) takes a connection with video.")
    }
    wishes.withLock { wishes in
      if doRecordChanges { wishes.turns.insert(connection.id) } else { wishes.turns.remove(connection.id) }
    }
  }

  /// Notes in the recordings under way what a connection does to pictures from now on.
  func noteOrientation(of connection: AVCaptureConnection) {
    guard wishes.withLock({ $0.turns.contains(connection.id) }) else { return }
    for recording in state.withLock({ $0.recordings }) {
      let clock = recording.plan.clock
      let metadata = OrientationTrack.metadata(of: connection.settings, from: clock.time, on: clock)
      if let metadata { recording.offer(metadata, of: connection.id) }
    }
  }
}
