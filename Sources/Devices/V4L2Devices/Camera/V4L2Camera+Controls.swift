public import CaptureDevice
internal import Glibc
internal import Linux
internal import StreamParts

extension V4L2Camera {
  /// Changes controls, in order, and reads back what they then stand at.
  ///
  /// Stamps show which frames have it: those that the driver stamped after the last write. A camera may take a frame or
  /// two more to obey, which the kernel does not say. When one write is refused those before it are taken back.
  /// A zoom ramp is made of writes on a thread of its own, one each 33 ms.
  ///
  /// C: `VIDIOC_S_CTRL`. Milliseconds for each control of a USB camera.
  public func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    let handle: VideoHandle
    do throws(KernelRefusal) {
      handle = try kernel.open(path)
    } catch {
      throw refused(error, "change its \(controls.first?.name ?? "controls")")
    }
    defer { kernel.close(handle) }
    return try writing.withLock { () throws(CaptureDeviceError) -> UInt64 in
      // What the camera lacks is refused before anything is written.
      var rehearsed = memory.withLock { $0 }
      for control in controls { _ = try settings(for: control, &rehearsed, handle) }

      var remembered = memory.withLock { $0 }
      var written: [ControlSetting] = []
      for control in controls {
        if case .zoom = control { endRamp() }
        for setting in try settings(for: control, &remembered, handle) {
          let before = value(setting.control, handle)
          do throws(KernelRefusal) {
            try write(setting, handle)
          } catch {
            undo(written, handle)
            throw refusal(error, of: setting, control.name, handle)
          }
          if let before { written.append(ControlSetting(control: setting.control, value: before)) }
        }
      }
      memory.withLock { [remembered] in $0 = remembered }
      for control in controls { try steer(control, handle) }
      return history.add(readState(handle))
    }
  }

  private func settings(
    for control: CameraControl, _ memory: inout ControlMemory, _ handle: VideoHandle
  ) throws(CaptureDeviceError) -> [ControlSetting] {
    do throws(ControlRefusal) {
      return try table.settings(for: control, memory: &memory) { value($0, handle) }
    } catch {
      throw device.error(.controlUnsupported, "cannot change its \(control.name) so: \(error.reason).")
    }
  }

  /// The value of a control; `nil` where it cannot be read.
  private func value(_ control: VideoControl, _ handle: VideoHandle) -> Int64? {
    guard let description = table.controls[control], description.isReadable else { return nil }
    return try? kernel.value(handle, of: control, description.kind)
  }

  private func write(_ setting: ControlSetting, _ handle: VideoHandle) throws(KernelRefusal) {
    let kind = table.controls[setting.control]?.kind ?? .integer
    try kernel.setValue(handle, of: setting.control, kind, to: setting.value)
  }

  /// Writes back what stood before, the last first; what is refused now cannot be helped.
  private func undo(_ written: [ControlSetting], _ handle: VideoHandle) {
    for setting in written.reversed() { try? write(setting, handle) }
  }

  /// The driver's refusal, with the range that it has now: another control may have moved it.
  private func refusal(
    _ refusal: KernelRefusal, of setting: ControlSetting, _ name: String, _ handle: VideoHandle
  ) -> CaptureDeviceError {
    guard [EINVAL, ERANGE, EACCES].contains(refusal.errno),
      let present = try? kernel.control(handle, setting.control)
    else {
      return refused(refusal, "change its \(name)")
    }
    let native = NativeControl.name(of: present.name)
    let why =
      present.isWritable
      ? "its driver takes \(present.minimum) to \(present.maximum) for \(native), and not \(setting.value)"
        + (present.flags.contains(.inactive) ? " while another control decides it" : "")
      : "its driver does not let programs set \(native)"
    return device.error(.controlUnsupported, "cannot change its \(name) so: \(why).")
  }

  // MARK: Ramps

  /// Begins or ends what goes on after a change.
  private func steer(_ control: CameraControl, _ handle: VideoHandle) throws(CaptureDeviceError) {
    switch control {
    case .zoomRamp(let factor, let rate):
      endRamp()
      let from = table.state(kernel, handle, ControlMemory()).zoom
      do throws(SystemError) {
        let begun = try ZoomRamp(self, from: from, to: factor, rate: rate)
        ramp.withLock { $0 = begun }
      } catch {
        throw device.error(.ioFailure, "cannot zoom by and by: the system has no thread left; zoom at once.")
      }
    case .endZoomRamp: endRamp()
    default: break
    }
  }

  private func endRamp() {
    let old = ramp.withLock { ramp in
      defer { ramp = nil }
      return ramp
    }
    old?.end()
  }

  /// One write of a ramp; false when the ramp is over, or the camera refuses: then the zoom stays where it is.
  func takeStep(of step: ZoomRamp, to factor: Double, isLast: Bool) -> Bool {
    writing.withLock {
      guard ramp.withLock({ $0 === step }), let setting = try? table.zoom(factor),
        let handle = try? kernel.open(path)
      else { return false }
      defer { kernel.close(handle) }
      guard (try? write(setting, handle)) != nil else {
        ramp.withLock { $0 = nil }
        return false
      }
      if isLast { ramp.withLock { $0 = nil } }
      history.note(readState(handle))
      return true
    }
  }
}
