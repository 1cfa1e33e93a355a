internal import Dispatch
internal import Linux

/// Calls on the main thread that block it: reported once for each method of the process, as Xcode's checker does.
///
/// No mistake: nothing stops, and strict programs go on. A program whose main queue is served by no loop has nothing that such a call
/// holds up, and reads nothing of it.
enum MainThreadUse {
  private static let reported = Locked<Set<String>>([])

  /// Reports a call of a session's `method` there, unless one was reported before.
  static func report(_ method: String) {
    guard reported.withLock({ $0.insert(method).inserted }) else { return }
    DispatchQueue.main.async {
      Log.note(
        "AVCaptureSession.\(method) was called on the main thread, which stands still until the camera has answered; call it on "
          + "a queue of your own.")
    }
  }
}
