internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// Checks a press and starts the photo, or tells the delegate why there is none.
  func take(_ settings: AVCapturePhotoSettings, _ delegate: any AVCapturePhotoCaptureDelegate) {
    let pressed = MonotonicInstant.now
    // Whatever becomes of the press: readiness coordinators need not announce it any longer.
    defer { notePress(of: settings.uniqueID) }
    var order: PhotoOrder
    do throws(Refusal) {
      order = try check(settings)
    } catch {
      if case .mistake(let rule) = error { ProgrammingMistake.report(rule: rule) }
      refuse(settings, delegate, with: error.error)
      return
    }
    if isFastCapturePrioritizationEnabled {
      order.processing.prioritization = pipeline.prioritization(
        for: order.askedPrioritization, order.processing.encoding, order.capture.size, at: pressed)
    }
    let delivery = PhotoDelivery(
      output: self,
      resolved: order.resolved(
        processingSeconds: pipeline.processingSeconds(order.processing, order.capture)),
      delegate: delegate, queue: callbackQueue)
    let shutterNanoseconds = order.source.device.driver.controlState.exposure.durationNanoseconds ?? 0
    pipeline.press(
      PhotoPipeline.Job(
        capture: order.capture, processing: order.processing, delivery: delivery,
        sourceDeviceType: order.source.device.deviceType,
        constituentTypes: Dictionary(
          uniqueKeysWithValues: order.source.device.constituentDevices.map { ($0.uniqueID, $0.deviceType) }),
        bracket: order.bracket,
        canExposeApart: order.source.facts.capabilities.canExposeStillsByHand,
        overlaps: isResponsiveCaptureEnabled && order.canOverlap,
        // What was exposed before the press takes no time any more.
        isSlowToExpose: order.isSlowToExpose || shutterNanoseconds > 250_000_000 && !isZeroShutterLagEnabled,
        pressed: pressed,
        expose: exposure(for: order, pressedAt: settings.pressTime),
        explain: { [weak self] error in self?.explain(error) ?? AVError(photoFailure: error) }))
  }

  /// What a device's error means to a client: a stream that has ended was ended by the session, which knows why.
  private func explain(_ error: CaptureDeviceError) -> AVError {
    guard error.code == .noFrames else { return AVError(photoFailure: error) }
    let code = silence
    return AVError(code == .noDataCaptured ? .sessionConfigurationChanged : code)
  }

  /// Tells the delegate the error in the last two callbacks, as a photo that failed does.
  private func refuse(
    _ settings: AVCapturePhotoSettings, _ delegate: any AVCapturePhotoCaptureDelegate, with error: AVError
  ) {
    let nothing = CMVideoDimensions(width: 0, height: 0)
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID, photo: nothing, preview: nothing, thumbnail: nothing,
      expectedPhotoCount: 1,
      processingTime: .zero)
    let delivery = PhotoDelivery(output: self, resolved: resolved, delegate: delegate, queue: callbackQueue)
    delivery.finish(
      AVCapturePhoto(PhotoResult(), resolvedSettings: resolved, sourceDeviceType: nil), error: error)
  }
}
