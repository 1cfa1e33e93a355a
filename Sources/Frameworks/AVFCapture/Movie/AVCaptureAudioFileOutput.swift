internal import AVFAudio
public import AVFCore
internal import CaptureDevice
internal import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// Records what a session's microphone captures to audio files.
///
/// Source: [AVCaptureAudioFileOutput](https://developer.apple.com/documentation/avfoundation/avcaptureaudiofileoutput).
open class AVCaptureAudioFileOutput: AVCaptureFileOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  private struct Wishes {
    var settings: [String: Any]?
    var metadata: [AVMetadataItem] = []
  }

  private let wishes = Locked(Wishes())

  /// An output that records once a session has it.
  ///
  /// Apple: `AVCaptureAudioFileOutput.init()`.
  public init() {
    super.init(number: ())
  }

  /// The types of files that can be written: `.m4a`, and `.mov` with audio alone.
  ///
  /// Apple: `AVCaptureAudioFileOutput.availableOutputFileTypes()`.
  /// - Note: Unlike AVFoundation, there is no `.caf`, `.aiff` or `.wav`: `.mov` holds uncompressed audio.
  open class func availableOutputFileTypes() -> [AVFileType] { [.m4a, .mov] }

  /// Records to a new file of a type; else as `startRecording(to:recordingDelegate:)`, which is a programming mistake here.
  ///
  /// Apple: `AVCaptureAudioFileOutput.startRecording(to:outputFileType:recordingDelegate:)`.
  open func startRecording(
    to outputFileURL: URL, outputFileType fileType: AVFileType,
    recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    record(to: outputFileURL, fileType: fileType, delegate)
  }

  /// How audio is coded; `nil`, the value at first, is AAC with the device's channels.
  ///
  /// Values that are left out are those. Takes effect with the next file; what cannot be honoured is a programming mistake without
  /// effect.
  ///
  /// Apple: `AVCaptureAudioFileOutput.audioSettings`.
  open var audioSettings: [String: Any]? {
    get { wishes.withLock { $0.settings } }
    set {
      if let newValue, let reason = MovieSettings.refusal(newValue, isVideo: false, codecs: []) {
        return ProgrammingMistake.report(rule: "AVCaptureAudioFileOutput.audioSettings: \(reason)")
      }
      let boxed = newValue.map { BoxedNumbers.boxed($0) }
      wishes.withLock { $0.settings = boxed }
    }
  }

  /// What files say about themselves; takes effect with the next one.
  ///
  /// Apple: `AVCaptureAudioFileOutput.metadata`.
  open var metadata: [AVMetadataItem] {
    get { wishes.withLock { $0.metadata } }
    set {
      let old = wishes.withLock { wishes in
        defer { wishes.metadata = newValue }
        return wishes.metadata
      }
      withExtendedLifetime(old) {}
    }
  }

  package override var requirements: OutputRequirements {
    OutputRequirements(role: .audioFile, media: [.audio])
  }

  override func recordingPlan(_ url: URL, _ fileType: AVFileType?) throws(RecordingRefusal) -> RecordingPlan {
    guard let fileType, Self.availableOutputFileTypes().contains(fileType) else {
      throw RecordingRefusal(
        error: AVError(.fileFormatNotRecognized),
        rule:
          "An audio file output records with startRecording(to:outputFileType:recordingDelegate:) and one of "
          + "availableOutputFileTypes().")
    }
    let wishes = wishes.withLock { $0 }
    var plan = RecordingPlan(url: url, fileType: fileType)
    plan.metadata = wishes.metadata.compactMap(\.fileItem)
    plan.continuesAcrossSwitches = continuesRecordingAcrossDeviceSwitches
    guard let connection = activeConnections.first, let present = self.plan(of: connection) else {
      return plan
    }
    let settings = MovieSettings.audio(wishes.settings, present, fileType)
    if let reason = AVCaptureMovieFileOutput.writerRefusal(settings, .audio, fileType) {
      throw RecordingRefusal(
        error: AVError(.fileFormatNotRecognized, because: reason),
        rule: "audioSettings cannot be written to a file of type \(fileType.rawValue): \(reason)")
    }
    plan.audio = RecordingPlan.Audio(settings: settings)
    return plan
  }
}
