package import CaptureDevice

/// The stream of a camera that sends what a test says: it gives the camera its receiver, and takes no stills.
package final class HandStream: CaptureStream {
  package let configuration: StreamConfiguration
  private let begin: @Sendable (@escaping @Sendable (StreamEvent) -> Void) -> Void
  private let end: @Sendable () -> Void

  package init(
    _ configuration: StreamConfiguration,
    begin: @escaping @Sendable (@escaping @Sendable (StreamEvent) -> Void) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.configuration = configuration
    self.begin = begin
    self.end = end
  }

  package func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    begin(receiver)
  }

  package func stop() { end() }

  package func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    duration
  }

  package func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    completion(.failure(CaptureDeviceError(.formatUnsupported, "The camera takes no stills; stream it.")))
  }
}
