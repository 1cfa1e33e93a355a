package import AVFCore
package import CaptureDevice
package import Linux

extension PhotoPipeline {
  /// Asks a device for a still; the completion may come at once or later, on any thread.
  package typealias Exposure =
    @Sendable (StillRequest, @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void) -> Void

  /// One photo on its way.
  package struct Job: Sendable {
    package var capture: PhotoCaptureRequest
    package var processing: PhotoProcessingRequest
    package var delivery: PhotoDelivery
    package var sourceDeviceType: AVCaptureDevice.DeviceType?
    /// The types of the cameras under a virtual one, by unique identifier.
    package var constituentTypes: [String: AVCaptureDevice.DeviceType]
    /// The client's own settings of a bracket, one for each exposure; empty for other photos.
    package var bracket: [AVCaptureBracketedStillImageSettings]
    /// Whether the device can expose one picture apart from the stream's frames.
    package var canExposeApart: Bool
    /// Whether it may be captured while others are processed.
    package var overlaps: Bool
    /// Whether the exposure itself takes long.
    package var isSlowToExpose: Bool
    /// When it was pressed, on the real clock.
    package var pressed: MonotonicInstant
    /// Asks the running stream for one still; calls back once, from any thread.
    package var expose: Exposure
    /// What the client is told when the device answers with an error.
    package var explain: @Sendable (CaptureDeviceError) -> AVError

    package init(
      capture: PhotoCaptureRequest, processing: PhotoProcessingRequest, delivery: PhotoDelivery,
      sourceDeviceType: AVCaptureDevice.DeviceType?,
      constituentTypes: [String: AVCaptureDevice.DeviceType] = [:],
      bracket: [AVCaptureBracketedStillImageSettings] = [],
      canExposeApart: Bool = false, overlaps: Bool = false, isSlowToExpose: Bool = false,
      pressed: MonotonicInstant = .now,
      expose: @escaping Exposure,
      explain: @escaping @Sendable (CaptureDeviceError) -> AVError = { AVError(photoFailure: $0) }
    ) {
      self.capture = capture
      self.processing = processing
      self.delivery = delivery
      self.sourceDeviceType = sourceDeviceType
      self.constituentTypes = constituentTypes
      self.bracket = bracket
      self.canExposeApart = canExposeApart
      self.overlaps = overlaps
      self.isSlowToExpose = isSlowToExpose
      self.pressed = pressed
      self.expose = expose
      self.explain = explain
    }
  }
}
