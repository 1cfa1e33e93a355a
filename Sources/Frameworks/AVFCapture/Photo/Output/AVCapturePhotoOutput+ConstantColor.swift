internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// Whether photos can have the colours of the flash's own white light, whatever light the scene has.
  ///
  /// They can with a camera whose flash has a known colour, and that exposes one picture by hand; not while the camera maps tones as a
  /// whole, for light must be in proportion to numbers. Observers hear of another camera.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isConstantColorSupported`.
  public var isConstantColorSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isConstantColorSupported)
    return canKeepColorsConstant
  }

  private var canKeepColorsConstant: Bool {
    guard PhotoOutputCapabilities(camera).keepsColorsConstant else { return false }
    return videoDevice?.driver.controlState.isGloballyToneMapped != true
  }

  /// Whether photos may ask for constant colours; `false` at first.
  ///
  /// Is `false` while ``isConstantColorSupported`` is; `true` without support is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isConstantColorEnabled`.
  public var isConstantColorEnabled: Bool {
    get { wantsConstantColor.withLock { $0 } && canKeepColorsConstant }
    set {
      guard !newValue || canKeepColorsConstant else {
        return ProgrammingMistake.report(
          rule: "isConstantColorEnabled cannot be true here; ask isConstantColorSupported first.")
      }
      wantsConstantColor.withLock { $0 = newValue }
    }
  }

  /// Checks what settings ask for constant colours against the output; `nil` where they ask for none.
  func checkConstantColor(_ settings: AVCapturePhotoSettings) throws(Refusal) -> ConstantColorRequest? {
    guard settings.isConstantColorEnabled else { return nil }
    guard isConstantColorEnabled, let camera, let gains = camera.capabilities.flashGains else {
      throw .mistake(
        "isConstantColorEnabled needs the photo output's own; ask its isConstantColorSupported first.")
    }
    if let rule = settings.constantColorMistake { throw .mistake(rule) }
    guard videoDevice?.isFlashAvailable != false else {
      throw .failure(
        AVError(
          .unknown,
          because:
            "The photo of constant colour needs the flash, which is too hot to fire; wait until it is cool."))
    }
    return ConstantColorRequest(
      gains: gains, deliversFallback: settings.isConstantColorFallbackPhotoDeliveryEnabled)
  }
}

extension StillRequest {
  /// The request for the same picture without flash, exposed as one with flash was.
  func ambient(after flash: FrameExposure) -> StillRequest {
    var still = self
    still.flash = .off
    still.exposure = .manual(durationNanoseconds: flash.durationNanoseconds, iso: flash.iso)
    return still
  }
}

extension AVCapturePhotoSettings {
  /// The rule of constant colours that the settings break by themselves; `nil` where they break none.
  var constantColorMistake: String? {
    guard isConstantColorEnabled else { return nil }
    guard flashMode != .off else {
      return "isConstantColorEnabled needs the flash; set flashMode to .auto or .on."
    }
    let isPlain =
      rawPhotoPixelFormatType == 0 && !(self is AVCapturePhotoBracketSettings)
      && virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty && livePhotoMovieFileURL == nil
    guard isPlain else {
      return
        "A photo of constant colour has no raw picture, bracket, chosen cameras or movie beside it; take these without isConstantColorEnabled."
    }
    return nil
  }
}
