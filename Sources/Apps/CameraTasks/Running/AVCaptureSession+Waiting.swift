package import AVFCapture
internal import AVFoundation
internal import Dispatch

extension AVCaptureSession {
  /// Starts the session on a thread of its own and waits for that: commands run on the main thread, where a call is reported.
  package func startAndWait() { wait { $0.startRunning() } }

  /// Stops the session in the same way.
  package func stopAndWait() { wait { $0.stopRunning() } }

  private func wait(for call: @escaping @Sendable (AVCaptureSession) -> Void) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInitiated).async {
      call(self)
      done.signal()
    }
    done.wait()
  }
}
