import CaptureDevice

/// The stream of a camera that sends what a test says: it gives the camera its receiver, and takes no stills.
final class HandStream: CaptureStream {
  let configuration: StreamConfiguration
  private let begin: @Sendable (@escaping @Sendable (StreamEvent) -> Void) -> Void
  private let end: @Sendable () -> Void

  init(
    _ configuration: StreamConfiguration,
    begin: @escaping @Sendable (@escaping @Sendable (StreamEvent) -> Void) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.configuration = configuration
    self.begin = begin
    self.end = end
  }

  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    begin(receiver)
  }

  func stop() { end() }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration { duration }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    completion(.failure(CaptureDeviceError(.formatUnsupported, "The camera takes no stills; stream it.")))
  }
}
