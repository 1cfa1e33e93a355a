import Glibc
import Linux
import V4L2Devices
import Waiting

extension ScriptedKernel {
  func control(
    _ handle: VideoHandle, _ control: VideoControl
  ) throws(KernelRefusal) -> VideoControlDescription? {
    try onDevice(.control, handle) { _, device in device.controls[control] }
  }

  func nextControl(
    _ handle: VideoHandle, after control: VideoControl?
  ) throws(KernelRefusal) -> (VideoControl, VideoControlDescription)? {
    try onDevice(.nextControl, handle) { _, device in
      device.controls.filter { $0.key.rawValue > control?.rawValue ?? 0 }
        .min { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }
  }

  func menuEntry(
    _ handle: VideoHandle, _ control: VideoControl, _ kind: VideoControlKind, at index: Int64
  ) throws(KernelRefusal) -> VideoMenuEntry? {
    try onDevice(.menuEntry, handle) { _, device in device.camera.menus[control]?[index] }
  }

  func value(
    _ handle: VideoHandle, of control: VideoControl, _ kind: VideoControlKind
  ) throws(KernelRefusal) -> Int64 {
    try onDevice(.value, handle) { _, device throws(KernelRefusal) in
      guard device.controls[control]?.isReadable == true, let value = device.values[control] else {
        throw KernelRefusal(.value, EINVAL)
      }
      return value
    }
  }

  func setValue(
    _ handle: VideoHandle, of control: VideoControl, _ kind: VideoControlKind, to value: Int64
  ) throws(KernelRefusal) {
    let watchers = try onDevice(.setValue, handle) { state, device throws(KernelRefusal) -> [WakeUp] in
      guard let range = device.controls[control] else { throw KernelRefusal(.setValue, EINVAL) }
      if range.flags.contains(.readOnly) { throw KernelRefusal(.setValue, EACCES) }
      if range.flags.contains(.grabbed) { throw KernelRefusal(.setValue, EBUSY) }
      guard range.kind == .button || (range.minimum...range.maximum).contains(value) else {
        throw KernelRefusal(.setValue, ERANGE)
      }
      if range.kind == .menu, device.camera.menus[control]?[value] == nil {
        throw KernelRefusal(.setValue, EINVAL)
      }
      device.writes.append(control)
      if range.kind != .button { device.values[control] = value }
      device.camera.sideEffect(device, control, value)
      return state.listeners(device, control)
    }
    for watcher in watchers { watcher.signal() }
  }

  func text(
    _ handle: VideoHandle, of control: VideoControl, longest: Int
  ) throws(KernelRefusal) -> String {
    try onDevice(.text, handle) { _, device in device.texts[control] ?? "" }
  }

  func setText(_ handle: VideoHandle, of control: VideoControl, to text: String) throws(KernelRefusal) {
    try onDevice(.setText, handle) { _, device in device.texts[control] = text }
  }

  func subscribe(_ handle: VideoHandle, to control: VideoControl) throws(KernelRefusal) {
    try onDevice(.subscribe, handle) { state, _ in
      _ = state.subscriptions[handle.descriptor, default: []].insert(control)
    }
  }

  func waitForChange(
    _ handle: VideoHandle, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> VideoReadiness {
    state.withLock { $0.watches += 1 }
    // Here the handle is the signal's own descriptor, which is readable when something has changed.
    var readiness = try real.wait(handle, wake, nanoseconds: nanoseconds)
    state.withLock { state in
      guard let entry = state.handles[handle.descriptor] else { return }
      if readiness.remove(.filled) != nil {
        entry.signal.clear()
        readiness.insert(.changed)
      }
      if !entry.device.isPlugged { readiness.insert(.failed) }
    }
    return readiness
  }

  /// The camera, or a hand at it, moves a control.
  func turn(_ control: VideoControl, to value: Int64, _ path: String = "/dev/video0") {
    let watchers = state.withLock { state -> [WakeUp] in
      guard let device = state.devices.first(where: { $0.path == path }) else { return [] }
      device.values[control] = value
      return state.listeners(device, control)
    }
    for watcher in watchers { watcher.signal() }
  }
}

extension ScriptedKernel.State {
  /// The openings that subscribed to a control.
  func listeners(_ device: ScriptedKernel.Device, _ control: VideoControl) -> [WakeUp] {
    handles.compactMap { descriptor, entry in
      entry.device === device && subscriptions[descriptor]?.contains(control) == true ? entry.signal : nil
    }
  }
}
