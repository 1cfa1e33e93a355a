internal import CaptureDevice
internal import Linux

/// Hears of devices that come and go, and answers on a thread of its own: a driver that reports one from its USB thread cannot open it there.
///
/// Ends when it is released.
final class SensorWatch: Sendable {
  private let wake: WakeUp
  private let hasEnded = Locked(false)
  private let registration = Locked<(any AnyObject & Sendable)?>(nil)

  /// A watch that hears nothing: of a library that is not there.
  static let none: any AnyObject & Sendable = NoWatch()

  /// - Parameters:
  ///   - heard: Called on the library's thread, at once; must not call the library.
  ///   - settled: Called on the watch's thread, after one change or several.
  init(
    _ library: any DepthLibrary, heard: @escaping @Sendable (SensorChange) -> Void,
    settled: @escaping @Sendable () -> Void
  ) throws(CaptureDeviceError) {
    do throws(SystemError) {
      wake = try WakeUp()
      let (wake, hasEnded) = (wake, hasEnded)
      _ = try ReaderThread(name: "obscura-openni") {
        while wake.wait() == .signalled, !hasEnded.withLock({ $0 }) {
          wake.clear()
          settled()
        }
      }
    } catch {
      throw .unheard(error.explanation)
    }
    do throws(DepthRefusal) {
      let wake = wake
      let token = try library.watch { change in
        heard(change)
        wake.signal()
      }
      registration.withLock { $0 = token }
    } catch {
      throw .unheard(error.reason)
    }
  }

  deinit {
    hasEnded.withLock { $0 = true }
    wake.signal()
  }
}

private final class NoWatch: Sendable {}

extension CaptureDeviceError {
  fileprivate static func unheard(_ reason: String) -> CaptureDeviceError {
    CaptureDeviceError(
      .ioFailure,
      "Depth cameras that are plugged in or pulled out go unnoticed (\(reason)); list the devices again instead."
    )
  }
}
