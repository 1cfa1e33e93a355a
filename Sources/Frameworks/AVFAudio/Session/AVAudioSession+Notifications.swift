public import Foundation

extension AVAudioSession {
  /// Another program has taken the microphone that a capture session records from, or it is back: the type is under
  /// ``AVAudioSessionInterruptionTypeKey``.
  ///
  /// Apple: `AVAudioSession.interruptionNotification`.
  public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
  /// The route has changed: why is under ``AVAudioSessionRouteChangeReasonKey``, the former one under
  /// ``AVAudioSessionRouteChangePreviousRouteKey``.
  ///
  /// Apple: `AVAudioSession.routeChangeNotification`.
  public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")

  // Of a phone's audio service, which Linux has none of: nothing posts these.

  /// The service that serves the devices has gone away.
  ///
  /// Apple: `AVAudioSession.mediaServicesWereLostNotification`.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The service that serves the devices has begun anew.
  ///
  /// Apple: `AVAudioSession.mediaServicesWereResetNotification`.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Another program's audio has begun or ended, beside which a game's music shall be silent.
  ///
  /// Apple: `AVAudioSession.silenceSecondaryAudioHintNotification`.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")

  /// The kind of a hint about other programs' audio.
  ///
  /// Apple: `AVAudioSession.SilenceSecondaryAudioHintType`.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// It has ended.
    case end = 0
    /// It has begun.
    case begin = 1
  }

  /// The kind of an interruption notification: the interruption began or ended.
  ///
  /// Apple: `AVAudioSession.InterruptionType`.
  public enum InterruptionType: UInt, Sendable {
    /// The interruption is over.
    case ended = 0
    /// The session is interrupted.
    case began = 1
  }

  /// The reason for which an interruption began.
  ///
  /// Apple: `AVAudioSession.InterruptionReason`.
  public enum InterruptionReason: UInt, Sendable {
    /// Another program uses the audio.
    case `default` = 0
    /// The program was suspended.
    case appWasSuspended = 1
    /// The machine's microphones are muted.
    case builtInMicMuted = 2
    /// The route is gone.
    case routeDisconnected = 4
  }

  /// Options that come with the end of an interruption.
  ///
  /// Apple: `AVAudioSession.InterruptionOptions`.
  public struct InterruptionOptions: OptionSet, Sendable {
    /// The option bits, with Apple's values.
    public let rawValue: UInt

    /// The options with these bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The program may resume its audio.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// The reason for a change of the route.
  ///
  /// Apple: `AVAudioSession.RouteChangeReason`.
  public enum RouteChangeReason: UInt, Sendable {
    /// Not known.
    case unknown = 0
    /// A device was plugged in.
    case newDeviceAvailable = 1
    /// A device was unplugged.
    case oldDeviceUnavailable = 2
    /// The category is another one.
    case categoryChange = 3
    /// The program prefers another input.
    case override = 4
    /// The machine has woken up.
    case wakeFromSleep = 6
    /// There is no device for the category.
    case noSuitableRouteForCategory = 7
    /// The devices are the same, and set in another way.
    case routeConfigurationChange = 8
  }
}

/// The raw value of an ``AVAudioSession/InterruptionType`` in an interruption's `userInfo`, as an `NSNumber`.
///
/// Apple: `AVAudioSessionInterruptionTypeKey`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

/// The raw value of an ``AVAudioSession/SilenceSecondaryAudioHintType`` in a hint's `userInfo`, as an `NSNumber`.
///
/// Apple: `AVAudioSessionSilenceSecondaryAudioHintTypeKey`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

/// The raw value of an ``AVAudioSession/InterruptionReason`` in the `userInfo` of an interruption's beginning, as an `NSNumber`.
///
/// Apple: `AVAudioSessionInterruptionReasonKey`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"

/// The raw value of ``AVAudioSession/InterruptionOptions`` in the `userInfo` of an interruption's end, as an `NSNumber`.
///
/// Apple: `AVAudioSessionInterruptionOptionKey`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"

/// The raw value of an ``AVAudioSession/RouteChangeReason`` in a route change's `userInfo`, as an `NSNumber`.
///
/// Apple: `AVAudioSessionRouteChangeReasonKey`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

/// The former ``AVAudioSessionRouteDescription`` in a route change's `userInfo`.
///
/// Apple: `AVAudioSessionRouteChangePreviousRouteKey`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
