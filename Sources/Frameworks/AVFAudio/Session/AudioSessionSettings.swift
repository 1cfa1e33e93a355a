package import FoundationExtras
package import Linux

/// The settings that a program has made on its audio session; one value for the process.
package struct AudioSessionSettings: Sendable {
  /// The process's.
  package static let shared = Locked(AudioSessionSettings(silence: .shared))

  var category = AVAudioSession.Category.soloAmbient
  var mode = AVAudioSession.Mode.default
  var options: AVAudioSession.CategoryOptions = []
  /// The identifier of the input that the program prefers.
  package var preferredInput: String?
  /// Samples a second that the program prefers; 0 for none in particular.
  var preferredSampleRate = 0.0
  /// Seconds of a chunk of audio that the program prefers; 0 for none in particular.
  var preferredBufferDuration = 0.0

  /// Whether the machine may sound and shake while the program records.
  package let silence: SystemSoundSilence

  /// Settings that nothing was set in.
  package init(silence: SystemSoundSilence = SystemSoundSilence()) {
    self.silence = silence
  }

  /// Sets what a camera that records movies needs, unless the category records already.
  package mutating func prepareForCapture(mixing: Bool, bluetoothQuality: Bool = false) {
    guard !category.hasInput else { return }
    category = .playAndRecord
    mode = .videoRecording
    options = mixing ? .mixWithOthers : []
    if bluetoothQuality { options.insert(.bluetoothHighQualityRecording) }
  }
}
