internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras

extension AVCapturePhotoOutput {
  /// Checks a press and starts the photo, or tells the delegate why there is none.
  func take(_ settings: AVCapturePhotoSettings, _ delegate: any AVCapturePhotoCaptureDelegate) {
    let order: PhotoOrder
    do throws(Refusal) {
      order = try check(settings)
    } catch {
      if case .mistake(let rule) = error { ProgrammingMistake.report(rule: rule) }
      refuse(settings, delegate, with: error.error)
      return
    }
    let delivery = PhotoDelivery(
      output: self, resolved: order.resolved, delegate: delegate, queue: callbackQueue)
    pipeline.press(
      PhotoPipeline.Job(
        capture: order.capture, processing: order.processing, delivery: delivery,
        sourceDeviceType: order.source.device.deviceType,
        constituentTypes: Dictionary(
          uniqueKeysWithValues: order.source.device.constituentDevices.map { ($0.uniqueID, $0.deviceType) }),
        bracket: order.bracket,
        canExposeApart: order.source.facts.capabilities.canExposeStillsByHand,
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
