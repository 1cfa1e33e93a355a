public import Foundation
public import FoundationExtras

/// The number of a short sound.
///
/// Apple: `SystemSoundID`.
public typealias SystemSoundID = UInt32

/// A phone's vibration: nothing vibrates here, so that it is over at once.
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
/// default device; a machine without one is silent. Thread-safe.
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
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?
) {
  SystemSoundPlayer.shared.play(inSystemSoundID, inCompletionBlock)
}

/// Plays a sound as an alert, which is the same here as ``AudioServicesPlaySystemSound(_:)``.
///
/// Apple: `AudioServicesPlayAlertSound(_:)`.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  AudioServicesPlaySystemSound(inSystemSoundID)
}

/// Plays a sound as an alert, which is the same here as ``AudioServicesPlaySystemSoundWithCompletion(_:_:)``.
///
/// Apple: `AudioServicesPlayAlertSoundWithCompletion(_:_:)`.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?
) {
  AudioServicesPlaySystemSoundWithCompletion(inSystemSoundID, inCompletionBlock)
}

/// Makes a sound of a file of at most thirty seconds, and gives it a number that no other has.
///
/// Reads and decodes the file: WAV, AIFF, CAF, AAC and what else FFmpeg reads. The sound is kept until
/// ``AudioServicesDisposeSystemSoundID(_:)``.
///
/// - Returns: ``kAudioServicesNoError``, or ``kAudioServicesSystemSoundUnspecifiedError``; then the number is 0.
///
/// Apple: `AudioServicesCreateSystemSoundID(_:_:)`.
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
