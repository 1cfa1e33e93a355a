internal import AVFCore
@_exported public import struct CaptureDevice.NativeControl
@_exported public import enum CaptureDevice.NativeControlValue
@_exported public import protocol CaptureDevice.NativeControls

extension AVCaptureDevice {
  /// Every control of the device's driver, with its range, its entries and what it stands at; empty for devices that have none
  /// of their own.
  ///
  /// For what no property here has a word for: backlight compensation, the frequency of the mains, sharpness. What a list says
  /// is of now: setting one control may change another's range. Blocks for milliseconds for each control of a USB camera.
  ///
  /// - Note: Unlike AVFoundation, which has no such list.
  /// - Throws: ``AVError`` with `deviceWasDisconnected`, `applicationIsNotAuthorizedToUseDevice`.
  public func nativeControls() throws -> [NativeControl] {
    guard let native = driver as? any NativeControls else { return [] }
    do {
      return try native.nativeControls()
    } catch {
      throw AVError(error, device: self)
    }
  }

  /// Sets a control of the device's driver by its name, and returns it as it then is: a driver may round the value.
  ///
  /// It stays so for other programs too, until it is set otherwise or the device is unplugged. Setting without
  /// ``lockForConfiguration()`` is a programming mistake without effect. Blocks for milliseconds.
  ///
  /// - Parameters:
  ///   - name: As ``NativeControl/name`` has it and `v4l2-ctl` spells it: `backlight_compensation`.
  ///   - value: A number, also for menus, buttons and Booleans, or a text.
  /// - Throws: ``AVError``: `unknown`, with a sentence that says what the control takes, for a name or a value that the device
  ///   does not have; `deviceInUseByAnotherApplication` for a control that cannot change while the camera streams;
  ///   `deviceWasDisconnected`, `applicationIsNotAuthorizedToUseDevice`.
  @discardableResult
  public func setNativeControl(_ name: String, to value: NativeControlValue) throws -> NativeControl? {
    guard mayChange("setNativeControl(_:to:)") else { return nil }
    guard let native = driver as? any NativeControls else {
      throw AVError(
        .unknown,
        because:
          "\(localizedName) cannot set \(name), because its driver has no controls of its own; use another camera.",
        device: self)
    }
    do {
      return try native.setNativeControl(name, to: value)
    } catch {
      throw AVError(error, device: self)
    }
  }
}
