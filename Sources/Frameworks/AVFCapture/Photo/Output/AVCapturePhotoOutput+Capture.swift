internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// Checks a press and starts the photo, or reports to the delegate why there is none.
  func take(_ asked: AVCapturePhotoSettings, _ delegate: any AVCapturePhotoCaptureDelegate) {
    let pressed = PhotoStageTimes.now
    let settings = choosingBothCameras(asked)
    // Whatever becomes of the press: readiness coordinators need not announce it any longer.
    defer { notePress(of: settings.uniqueID) }
    let order: PhotoOrder
    do throws(Refusal) {
      order = try check(settings)
    } catch {
      if case .mistake(let rule) = error { ProgrammingMistake.report(rule: rule) }
      refuse(settings, delegate, with: error.error)
      return
    }
    // The moment of the press, whatever has to be started first.
    let press = order.source.press(at: settings.pressTime)
    guard let owner = membership.owner, owner.holdsUp(id) else {
      return take(order, settings, delegate, press: press, pressed: pressed)
    }
    // A manual clock waits: the photo is asked for before time moves on.
    let token = order.source.device.driver.holdClock()
    let photo = PressedPhoto(order: order, settings: settings, delegate: delegate)
    owner.whenStarted(id) { [self] in
      withExtendedLifetime(token) {
        guard let source = stillSource else {
          return refuse(photo.settings, photo.delegate, with: AVError(silence))
        }
        var order = photo.order
        order.source = source
        take(order, photo.settings, photo.delegate, press: press, pressed: pressed)
      }
    }
  }

  /// Starts the photo of a press that was checked.
  private func take(
    _ order: PhotoOrder, _ settings: AVCapturePhotoSettings, _ delegate: any AVCapturePhotoCaptureDelegate,
    press: PhotoPress, pressed: MonotonicInstant
  ) {
    var order = order
    let isWanted = settings.isAutoStillImageStabilizationEnabled
    order.planBurst(isWanted: isWanted, mayExposeLonger: !isMovieRecorded && order.live == nil)
    order.planCompanion(isWanted: settings.isAutoVirtualDeviceFusionEnabled)
    order.store = store(for: order, delegate)
    if isFastCapturePrioritizationEnabled, order.store == nil {
      order.processing.prioritization = pipeline.prioritization(
        for: order.askedPrioritization, order.processing.encoding, order.capture.size,
        isFused: order.capture.isFused, at: press.time)
      order.planBurst(isWanted: isWanted, mayExposeLonger: !isMovieRecorded && order.live == nil)
      order.planCompanion(isWanted: settings.isAutoVirtualDeviceFusionEnabled)
    }
    let delivery = PhotoDelivery(
      output: self,
      resolved: order.resolved(
        processingSeconds: pipeline.processingSeconds(order.immediateProcessing, order.capture)),
      bracket: order.bracket, delegate: delegate, queue: callbackQueue, store: order.store)
    if let live = order.live {
      let recorder = self.live.recorder
      let ticket = LiveFilmTicket(recorder: recorder)
      delivery.follow(ticket, to: live.url)
      recorder.press(live, at: press.time.nanoseconds, as: ticket) { delivery.take($0, holding: $1) }
    }
    let shutterNanoseconds = order.source.device.driver.controlState.exposure.durationNanoseconds ?? 0
    // What was exposed before the press takes no time any more.
    order.capture.isSlowToExpose =
      order.isSlowToExpose || order.nightSeconds > 0.25
      || shutterNanoseconds * Int64(order.capture.stills.count) > 250_000_000 && !isZeroShutterLagEnabled
    order.capture.overlaps = isResponsiveCaptureEnabled && order.canOverlap && order.night == nil
    order.capture.canExposeApart = order.source.facts.capabilities.canExposeStillsByHand
    order.capture.pressed = pressed
    // The past is exposed as the stream is.
    order.capture.press = order.night == nil && canBePast(order) ? press : nil
    var job = PhotoJob(
      capture: order.capture, processing: order.processing, exposer: order.source, receiver: delivery,
      store: order.store, depth: order.depth)
    job.matte = order.matte
    job.partMattes = order.partMattes
    job.wantsCalibration = order.wantsCalibration
    job.reducesRedEyes = order.reducesRedEyes
    job.makesHeadsRound = order.makesHeadsRound
    job.constantColor = order.constantColor
    pipeline.press(job)
  }

  /// Whether the session records a movie, whose frames a long exposure would delay.
  private var isMovieRecorded: Bool {
    membership.owner?.outputs.contains { ($0 as? AVCaptureMovieFileOutput)?.isRecording == true } ?? false
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
    let isRaw = settings.rawPhotoPixelFormatType != 0
    let hasFallback =
      settings.isConstantColorEnabled && settings.isConstantColorFallbackPhotoDeliveryEnabled
      && bracket.isEmpty
    let resultsEach = isRaw && settings.format != nil || hasFallback ? 2 : 1
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID, photo: nothing, preview: nothing, thumbnail: nothing,
      expectedPhotoCount: max(
        bracket.count, settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.count, 1) * resultsEach,
      processingTime: .zero)
    let delivery = PhotoDelivery(
      output: self, resolved: resolved, bracket: bracket, delegate: delegate, queue: callbackQueue)
    if let url = settings.livePhotoMovieFileURL { delivery.lackFilm(at: url, because: error) }
    for index in 0..<resolved.expectedPhotoCount {
      var nothing = PhotoResult()
      nothing.isRaw = isRaw && index % resultsEach == 0
      nothing.isConstantColorFallback = hasFallback && index > 0
      delivery.finish(index, nothing, error: error)
    }
  }
}

/// A press that waits for the session's deferred start.
private struct PressedPhoto: @unchecked Sendable {  // Safe: one thread after the other goes on with it.
  let order: PhotoOrder
  let settings: AVCapturePhotoSettings
  let delegate: any AVCapturePhotoCaptureDelegate
}
