public import Foundation
internal import Linux

extension AVCaptureSession {
  /// The reason why media does not flow for a while.
  ///
  /// Apple: `AVCaptureSession.InterruptionReason`.
  public enum InterruptionReason: Int, Sendable {
    /// The system withholds the camera for now: on Linux, its privacy switch or shutter is closed.
    case videoDeviceNotAvailableInBackground = 1
    /// Another client has taken the microphone.
    ///
    /// The session is interrupted as a whole, as on Apple. What Apple leaves open is decided for the user: the cameras go on
    /// delivering, so that a preview does not freeze because of a telephone call.
    case audioDeviceInUseByAnotherClient = 2
    /// Another client has taken the camera.
    case videoDeviceInUseByAnotherClient = 3
    /// Several programs are in front, and the camera serves one only.
    case videoDeviceNotAvailableWithMultipleForegroundApps = 4
    /// The machine is too hot: the devices' pressure is at `shutdown`; the state is under
    /// ``AVCaptureSessionInterruptionSystemPressureStateKey``.
    case videoDeviceNotAvailableDueToSystemPressure = 5
    /// A call hides what should not be seen; no program here looks for that.
    case sensitiveContentMitigationActivated = 6
  }

  /// The reason why a device of the session delivers nothing for now.
  package struct Withholding: Sendable {
    /// The reason that clients of the session get.
    package let reason: InterruptionReason
    /// Whether it is the sleep of the machine, for which there is no reason of its own.
    package let isSleep: Bool
  }

  /// Why `device` delivers nothing for now; `nil` when it does.
  package func withholding(of device: AVCaptureDevice) -> Withholding? {
    core.withLock { core in
      core.feeds.withheld[device.uniqueID].map {
        Withholding(reason: $0, isSleep: core.feeds.asleep.contains(device.uniqueID))
      }
    }
  }

  /// Something went wrong and the session has stopped, or goes on without a device (see ``AVCaptureSession/startRunning()``); the error
  /// is under ``AVCaptureSessionErrorKey``.
  ///
  /// Apple: `AVCaptureSession.runtimeErrorNotification`.
  public static let runtimeErrorNotification = Notification.Name("AVCaptureSessionRuntimeErrorNotification")
  /// The session has started.
  ///
  /// Apple: `AVCaptureSession.didStartRunningNotification`.
  public static let didStartRunningNotification = Notification.Name(
    "AVCaptureSessionDidStartRunningNotification")
  /// The session has stopped.
  ///
  /// Apple: `AVCaptureSession.didStopRunningNotification`.
  public static let didStopRunningNotification = Notification.Name(
    "AVCaptureSessionDidStopRunningNotification")
  /// Media does not flow for a while; the reason is under ``AVCaptureSessionInterruptionReasonKey``.
  ///
  /// Apple: `AVCaptureSession.wasInterruptedNotification`.
  public static let wasInterruptedNotification = Notification.Name(
    "AVCaptureSessionWasInterruptedNotification")
  /// Media flows again.
  ///
  /// Apple: `AVCaptureSession.interruptionEndedNotification`.
  public static let interruptionEndedNotification = Notification.Name(
    "AVCaptureSessionInterruptionEndedNotification")
}

extension Notification.Name {
  /// The older spelling of ``AVCaptureSession/runtimeErrorNotification``.
  public static let AVCaptureSessionRuntimeError = AVCaptureSession.runtimeErrorNotification
  /// The older spelling of ``AVCaptureSession/didStartRunningNotification``.
  public static let AVCaptureSessionDidStartRunning = AVCaptureSession.didStartRunningNotification
  /// The older spelling of ``AVCaptureSession/didStopRunningNotification``.
  public static let AVCaptureSessionDidStopRunning = AVCaptureSession.didStopRunningNotification
  /// The older spelling of ``AVCaptureSession/wasInterruptedNotification``.
  public static let AVCaptureSessionWasInterrupted = AVCaptureSession.wasInterruptedNotification
  /// The older spelling of ``AVCaptureSession/interruptionEndedNotification``.
  public static let AVCaptureSessionInterruptionEnded = AVCaptureSession.interruptionEndedNotification
}

/// The ``AVError`` in a runtime error's `userInfo`.
///
/// Apple: `AVCaptureSessionErrorKey`.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

/// The raw value of an ``AVCaptureSession/InterruptionReason`` in an interruption's `userInfo`, as an `Int`.
///
/// Apple: `AVCaptureSessionInterruptionReasonKey`.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"

/// The ``AVCaptureDevice/SystemPressureState`` in the `userInfo` of an interruption because of system pressure.
///
/// Apple: `AVCaptureSessionInterruptionSystemPressureStateKey`.
public let AVCaptureSessionInterruptionSystemPressureStateKey =
  "AVCaptureSessionInterruptionSystemPressureStateKey"
