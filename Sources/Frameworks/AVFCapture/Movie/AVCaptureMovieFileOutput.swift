internal import AVFAudio
public import AVFCore
internal import CaptureDevice
public import CoreMedia
package import Foundation
internal import FoundationExtras
internal import Linux

/// Records movies with sound: QuickTime files of what a session's camera and microphone capture.
///
/// A movie begins with its first picture and the audio of that moment, so that it never begins black. While it is recorded, the
/// file is fragmented and brought to the disk: killed at any moment, it opens, and lacks less than a second, and little more after a
/// power cut; its end makes it a plain movie without needing the space twice. The file appears in its folder as soon as it opens,
/// with its first frames. One that another program removes, moves, replaces or cuts off ends the recording with an error that says
/// what was kept, and where.
///
/// Pictures lie in the file as the sensor gave them; the track's matrix turns and mirrors them as the connection said when
/// recording began. Works beside photo and data outputs.
///
/// Each connected ``AVCaptureMetadataInput`` is a track of timed metadata, which says what the pictures show. A group holds until the
/// next one, and through pauses; one that holds already when recording begins describes the movie from its first picture.
///
/// Under the session preset `photo` no movie is recorded, as in Apple's sample: the output's connections are inactive, and to
/// record is a programming mistake.
///
/// Source: [AVCaptureMovieFileOutput](https://developer.apple.com/documentation/avfoundation/avcapturemoviefileoutput).
open class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  struct Wishes {
    var fragmentInterval = CMTime(value: 10, timescale: 1)
    var metadata: [AVMetadataItem]?
    var fileType = AVFileType.mov
    var replacesFiles = false
    /// By the connection's number; a missing one is as the preset says.
    var settings: [NodeID: [String: Any]] = [:]
    /// The numbers of connections whose turns become a track.
    var turns: Set<NodeID> = []
    /// Whether recordings choose among the cameras of a virtual one otherwise than the device; `nil` until a client says it.
    var choosesCameras: Bool?
    var cameraChoice = RecordingCameraChoice()
  }

  let wishes = Locked(Wishes())

  /// An output that records once a session has it.
  ///
  /// Apple: `AVCaptureMovieFileOutput.init()`.
  public init() {
    super.init(number: ())
  }

  /// How long the fragments are that survive a kill: ten seconds at first, as Apple has it.
  ///
  /// Takes effect with the next file. Apple: `AVCaptureMovieFileOutput.movieFragmentInterval`.
  /// - Note: Unlike AVFoundation, fragments are never longer than half a second, also with a longer or invalid interval: no setting
  ///   makes a kill lose more, and the end makes a plain movie in any case. Shorter intervals are kept.
  open var movieFragmentInterval: CMTime {
    get { wishes.withLock { $0.fragmentInterval } }
    set { wishes.withLock { $0.fragmentInterval = newValue } }
  }

  /// What files say about themselves; takes effect with the next one.
  ///
  /// Apple: `AVCaptureMovieFileOutput.metadata`.
  open var metadata: [AVMetadataItem]? {
    get { wishes.withLock { $0.metadata } }
    set {
      let old = wishes.withLock { wishes in
        defer { wishes.metadata = newValue }
        return wishes.metadata
      }
      withExtendedLifetime(old) {}
    }
  }

  /// The type of the next file: `.mov` at first, or `.mp4` or `.m4v`; another one is a programming mistake without effect.
  ///
  /// Apple has no such property, and writes QuickTime movies only.
  public var recordedFileType: AVFileType {
    get { wishes.withLock { $0.fileType } }
    set {
      guard [.mov, .mp4, .m4v].contains(newValue) else {
        return ProgrammingMistake.report(
          rule: "recordedFileType is .mov, .mp4 or .m4v; given was \(newValue.rawValue).")
      }
      wishes.withLock { $0.fileType = newValue }
    }
  }

  /// Whether the next file takes the place of one that is there, once it can be played; `false` at first.
  ///
  /// Where the place is a link, its target is replaced. Else a file that is there is an error, as on Apple's platforms.
  package var replacesFiles: Bool {
    get { wishes.withLock { $0.replacesFiles } }
    set { wishes.withLock { $0.replacesFiles = newValue } }
  }

  /// Records to a new file from a moment on; until then the present file goes on, and ends there.
  ///
  /// The first frame that was captured at that moment or later is the new file's first. Until it is there, ``outputFileURL`` and the
  /// figures are the present file's. A stop before that moment ends both, and the new one with `noDataCaptured`.
  ///
  /// - Parameter moment: On the clock of the devices' time stamps.
  package func startRecording(
    to url: URL, at moment: CMTime, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    record(to: url, fileType: nil, at: moment, delegate)
  }

  // MARK: Session

  package override var requirements: OutputRequirements {
    var requirements = OutputRequirements(role: .movie, media: [.video, .audio])
    let settings = connection(with: .video).flatMap { connection in
      wishes.withLock { $0.settings[connection.id] }
    }
    requirements.accepts = Self.accepts(settings)
    // A recording goes on as it began, whatever is set meanwhile.
    if let present {
      requirements.writesAsItComes = present.settings == nil
      if present.settings != nil { requirements.accepts = [.pictures] }
    }
    return requirements
  }

  /// The pictures' plan of the recording under way; `nil` while there is none.
  private var present: RecordingPlan.Video? {
    state.withLock { $0.recordings.last?.plan.video }
  }

  /// H.264 and HEVC are taken as they come unless the client asks for another codec, or says how they shall be coded.
  private static func accepts(_ settings: [String: Any]?) -> Set<FrameForm> {
    guard let settings, !settings.isEmpty else { return [.pictures, .h264, .hevc] }
    guard settings.count == 1 else { return [.pictures] }
    return switch MovieSettings.codec(settings) {
    case .h264: [.pictures, .h264]
    case .hevc: [.pictures, .hevc]
    default: [.pictures]
    }
  }

  override func recordingPlan(_ url: URL, _ fileType: AVFileType?) throws(RecordingRefusal) -> RecordingPlan {
    let wishes = wishes.withLock { $0 }
    var plan = RecordingPlan(url: url, fileType: wishes.fileType)
    plan.fragmentInterval = wishes.fragmentInterval
    plan.replacesFile = wishes.replacesFiles
    plan.metadata = (wishes.metadata ?? []).compactMap(\.fileItem)
    plan.continuesAcrossSwitches = continuesRecordingAcrossDeviceSwitches
    plan.timed = activeConnections.compactMap(\.timedTrack)
    plan.timed += activeConnections.filter { wishes.turns.contains($0.id) }.map {
      RecordingPlan.Timed(input: $0.id, format: OrientationTrack.format)
    }
    for connection in activeConnections {
      guard let present = self.plan(of: connection) else { continue }
      let settings = wishes.settings[connection.id]
      if connection.media == .audio {
        plan.audio = RecordingPlan.Audio(settings: MovieSettings.audio(settings, present, wishes.fileType))
      } else {
        plan.video = try MovieSettings.video(
          settings, present, wishes.fileType, hasEffect: connection.hasEffect)
      }
    }
    return plan
  }
}
