internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// Checks a press and starts the photo, or reports to the delegate why there is none.
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
    order.store = store(for: order, delegate)
    if isFastCapturePrioritizationEnabled, order.store == nil {
      order.processing.prioritization = pipeline.prioritization(
        for: order.askedPrioritization, order.processing.encoding, order.capture.size, at: pressed)
    }
    let delivery = PhotoDelivery(
      output: self,
      resolved: order.resolved(
        processingSeconds: pipeline.processingSeconds(order.immediateProcessing, order.capture)),
      bracket: order.bracket, delegate: delegate, queue: callbackQueue, store: order.store)
    let shutterNanoseconds = order.source.device.driver.controlState.exposure.durationNanoseconds ?? 0
    // What was exposed before the press takes no time any more.
    order.capture.isSlowToExpose =
      order.isSlowToExpose || shutterNanoseconds > 250_000_000 && !isZeroShutterLagEnabled
    order.capture.overlaps = isResponsiveCaptureEnabled && order.canOverlap
    order.capture.canExposeApart = order.source.facts.capabilities.canExposeStillsByHand
    order.capture.pressed = pressed
    order.capture.press = press(for: order, at: settings.pressTime)
    pipeline.press(
      PhotoJob(
        capture: order.capture, processing: order.processing, exposer: order.source, receiver: delivery,
        store: order.store))
  }

  /// What an error of a stage or a device means to a client: a stream that has ended was ended by the session, which knows why.
  func explain(_ error: any Error) -> AVError {
    guard (error as? CaptureDeviceError)?.code == .noFrames else { return AVError(photoFailure: error) }
    let code = silence
    return AVError(code == .noDataCaptured ? .sessionConfigurationChanged : code)
  }

  /// Calls the delegate as for a photo that failed: every picture of it with the error.
  private func refuse(
    _ settings: AVCapturePhotoSettings, _ delegate: any AVCapturePhotoCaptureDelegate, with error: AVError
  ) {
    let nothing = CMVideoDimensions(width: 0, height: 0)
    let bracket = (settings as? AVCapturePhotoBracketSettings)?.bracketedSettings ?? []
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID, photo: nothing, preview: nothing, thumbnail: nothing,
      expectedPhotoCount: max(
        bracket.count, settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.count, 1),
      processingTime: .zero)
    let delivery = PhotoDelivery(
      output: self, resolved: resolved, bracket: bracket, delegate: delegate, queue: callbackQueue)
    for index in 0..<resolved.expectedPhotoCount { delivery.finish(index, PhotoResult(), error: error) }
  }
}
