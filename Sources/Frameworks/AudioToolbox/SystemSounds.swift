public import Foundation
public import FoundationExtras

/// The number of a short sound.
///
/// Apple: `SystemSoundID`.
public typealias SystemSoundID = UInt32

/// A phone's vibration of 0.4 seconds, by feedbackd where the user's session has it; elsewhere it is over at once, as on an iPad.
///
/// Beside a running microphone it needs `AVAudioSession.setAllowHapticsAndSystemSoundsDuringRecording(_:)`, as on a phone.
/// A test sees that it was asked for with `SystemSoundRecorder` (`ObscuraSimulation`).
///
/// Apple: `kSystemSoundID_Vibrate`.
public let kSystemSoundID_Vibrate: SystemSoundID = 0x0FFF

/// No error.
///
/// Apple: `kAudioServicesNoError`.
public let kAudioServicesNoError: OSStatus = 0

/// The sound cannot be had: the file is none that can be played, is longer than thirty seconds, or the number is not one that
/// was created.
///
/// Apple: `kAudioServicesSystemSoundUnspecifiedError`.
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500

/// Plays a short sound and returns at once.
///
/// Numbers of the system's own: 1108 is a camera's shutter, 1117 and 1113 the beginning and 1118 and 1114 the end of a recording;
/// all others are silent here. Sounds of the program come from ``AudioServicesCreateSystemSoundID(_:_:)``. They are heard on ALSA's
/// default device; a machine without one is silent, and so is a program whose microphone runs, until
/// `AVAudioSession.setAllowHapticsAndSystemSoundsDuringRecording(_:)` allows them. Thread-safe.
///
/// Apple: `AudioServicesPlaySystemSound(_:)`.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  AudioServicesPlaySystemSoundWithCompletion(inSystemSoundID, nil)
}

/// Plays a short sound, returns at once, and calls the closure once when it is over, on a thread of its own.
///
/// A sound that cannot be played is over at once.
///
/// Apple: `AudioServicesPlaySystemSoundWithCompletion(_:_:)`.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  SystemSoundPlayer.shared.play(inSystemSoundID, Completion.handed(on: inCompletionBlock))
}

/// Plays a sound as an alert: as ``AudioServicesPlaySystemSound(_:)``, and a machine that can vibrates meanwhile.
///
/// Apple: `AudioServicesPlayAlertSound(_:)`.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  AudioServicesPlayAlertSoundWithCompletion(inSystemSoundID, nil)
}

/// Plays a sound as an alert: as ``AudioServicesPlaySystemSoundWithCompletion(_:_:)``, and a machine that can vibrates meanwhile.
///
/// Apple: `AudioServicesPlayAlertSoundWithCompletion(_:_:)`.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  SystemSoundPlayer.shared.play(
    inSystemSoundID, isAlert: true, Completion.handed(on: inCompletionBlock))
}

/// Makes a sound of a file of at most thirty seconds, and gives it a number that no other has.
///
/// Reads and decodes the file: WAV, AIFF, CAF, AAC and what else FFmpeg reads. The sound is kept until
/// ``AudioServicesDisposeSystemSoundID(_:)``.
///
/// - Returns: ``kAudioServicesNoError``, or ``kAudioServicesSystemSoundUnspecifiedError``; then the number is 0.
///
/// Apple: `AudioServicesCreateSystemSoundID(_:_:)`.
@discardableResult
public func AudioServicesCreateSystemSoundID(
  _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
  let number = SystemSoundPlayer.shared.create(inFileURL)
  outSystemSoundID.pointee = number ?? 0
  return number == nil ? kAudioServicesSystemSoundUnspecifiedError : kAudioServicesNoError
}

/// Forgets a sound that was created; where it is being played, it plays to its end.
///
/// - Returns: ``kAudioServicesNoError``, or ``kAudioServicesSystemSoundUnspecifiedError`` for other numbers.
///
/// Apple: `AudioServicesDisposeSystemSoundID(_:)`.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
  SystemSoundPlayer.shared.dispose(inSystemSoundID)
    ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// A client's closure, which Apple's functions take from any thread to theirs without asking whether it may go there.
private struct Completion: @unchecked Sendable {  // Safe because it is called once, and by one thread.
  private let call: () -> Void

  static func handed(on closure: (() -> Void)?) -> (@Sendable () -> Void)? {
    closure.map { closure in
      let completion = Completion(call: closure)
      return { completion.call() }
    }
  }
}
