internal import CVideo4Linux
internal import Glibc

/// Starts threads that sleep in the kernel; dispatch queues would have to lend theirs for good.
enum ReaderThread {
  private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Runs `body` on a new thread with that name (15 characters show); false when the system has none left.
  ///
  /// C: `pthread_create`.
  static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let unmanaged = Unmanaged.passRetained(Body(name, body))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // Safe because the creator passes a retained body and nothing else.
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        cam_v4l2_name_thread(body.name)
        body.run()
        return nil
      }, unmanaged.toOpaque())
    if failure != 0 {
      unmanaged.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// A number for the calling thread, unlike that of every other living thread.
  static var current: UInt { UInt(pthread_self()) }
}
