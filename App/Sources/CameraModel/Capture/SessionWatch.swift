import AVFoundation
import Dispatch

/// Reports on a queue, in order, what happens to a session and to the machine's cameras.
final class SessionWatch {
  /// An event of the session or of the list of cameras.
  enum Event: Sendable {
    case failed(AVError?)
    case interrupted(AVCaptureSession.InterruptionReason?)
    /// The session has started, or an interruption has ended.
    case running
    case plugged
    case unplugged(AVCaptureDevice?)
    /// Something else is before the camera.
    case subjectAreaChanged(AVCaptureDevice?)
  }

  private var observers: [any NSObjectProtocol] = []

  /// - Parameter report: Called on `queue`.
  init(_ session: AVCaptureSession, on queue: DispatchQueue, report: @escaping @Sendable (Event) -> Void) {
    func observe(
      _ name: Notification.Name, of object: AVCaptureSession? = nil,
      _ event: @escaping @Sendable (Notification) -> Event
    ) {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { note in
          let event = event(note)
          queue.async { report(event) }
        })
    }
    observe(AVCaptureSession.runtimeErrorNotification, of: session) {
      .failed($0.userInfo?[AVCaptureSessionErrorKey] as? AVError)
    }
    observe(AVCaptureSession.wasInterruptedNotification, of: session) { note in
      let number = note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
      return .interrupted(number.flatMap(AVCaptureSession.InterruptionReason.init(rawValue:)))
    }
    observe(AVCaptureSession.interruptionEndedNotification, of: session) { _ in .running }
    observe(AVCaptureSession.didStartRunningNotification, of: session) { _ in .running }
    observe(AVCaptureDevice.wasDisconnectedNotification) { .unplugged($0.object as? AVCaptureDevice) }
    observe(AVCaptureDevice.wasConnectedNotification) { _ in .plugged }
    observe(AVCaptureDevice.subjectAreaDidChangeNotification) {
      .subjectAreaChanged($0.object as? AVCaptureDevice)
    }
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }
}
