/// The inputs and outputs of the machine, and who may use them: what stands below an ``AVAudioSession``.
package protocol AudioSessionHardware: AnyObject, Sendable {
  /// The microphones that are plugged in, in order of preference.
  var inputs: [AVAudioSessionPortDescription] { get }
  /// What plays, in order of preference.
  var outputs: [AVAudioSessionPortDescription] { get }
  /// How loud the machine plays, 0 to 1; `nil` where it does not say.
  var outputVolume: Float? { get }
  /// Whether the program may record.
  var recordPermission: AVAudioSession.RecordPermission { get }
  /// Asks the user where that is needed; `completion` is called once, on any thread.
  func requestRecordPermission(_ completion: @escaping @Sendable (Bool) -> Void)
}
