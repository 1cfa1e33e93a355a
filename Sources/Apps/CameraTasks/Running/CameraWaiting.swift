package import AVFCapture
internal import AVFoundation
internal import FoundationExtras
package import Linux

/// The wish that a task goes on when its camera comes back, instead of ending when it goes.
package struct CameraWaiting: Sendable {
  /// The interval of looking for a camera that is not there at first.
  private static let pauseNanoseconds: Int64 = 300_000_000

  /// Hears in a sentence what is waited for, and that it is back; on any thread.
  let say: @Sendable (String) -> Void

  /// A wish whose sentences go to `say`.
  package init(say: @escaping @Sendable (String) -> Void) {
    self.say = say
  }

  /// The camera that `choose` finds, as soon as there is one, and a name fits it alone: what is plugged in decides over that, too.
  ///
  /// - Parameter deadline: How long it is waited for; `nil` for ever.
  /// - Throws: ``CameraTaskError/Code/stopped``, or what `choose` throws; ``CameraTaskError/Code/noSuchCamera`` and
  ///   ``CameraTaskError/Code/ambiguousName`` only once the deadline is over.
  package func camera(
    stop: StopRequest, until deadline: MonotonicInstant?, _ choose: () throws -> AVCaptureDevice
  ) throws -> AVCaptureDevice {
    var hasSaid = false
    while true {
      do {
        return try choose()
      } catch let error as CameraTaskError where [.noSuchCamera, .ambiguousName].contains(error.code) {
        if let deadline, WorldTime.current.now >= deadline { throw error }
        if !hasSaid { say("\(error.message) It is waited for.") }
        hasSaid = true
        let next = WorldTime.current.now.advanced(byNanoseconds: Self.pauseNanoseconds)
        let isStopped = stop.wait(until: deadline.map { min($0, next) } ?? next)
        if isStopped { throw CameraTaskError(.stopped, "") }
      }
    }
  }
}
