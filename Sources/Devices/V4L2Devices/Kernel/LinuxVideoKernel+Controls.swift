internal import CVideo4Linux
internal import Glibc
package import Linux

extension LinuxVideoKernel {
  package func control(
    _ handle: VideoHandle, _ control: VideoControl
  ) throws(KernelRefusal) -> VideoControlDescription? {
    try describe(.control, handle, control.rawValue)?.1
  }

  package func nextControl(
    _ handle: VideoHandle, after control: VideoControl?
  ) throws(KernelRefusal) -> (VideoControl, VideoControlDescription)? {
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
    return try describe(.nextControl, handle, (control?.rawValue ?? 0) | next)
  }

  private func describe(
    _ name: VideoCall, _ handle: VideoHandle, _ number: UInt32
  ) throws(KernelRefusal) -> (VideoControl, VideoControlDescription)? {
    var query = v4l2_query_ext_ctrl()
    query.id = number
    do throws(KernelRefusal) {
      try call(name, handle, cam_v4l2_VIDIOC_QUERY_EXT_CTRL, &query)
    } catch  where [EINVAL, ENOTTY].contains(error.errno) {
      return nil
    }
    let description = VideoControlDescription(
      query.minimum, query.maximum, step: Int64(clamping: max(query.step, 1)), default: query.default_value,
      kind: VideoControlKind(type: query.type, elements: query.nr_of_dims), name: text(query.name),
      flags: VideoControlFlags(rawValue: query.flags))
    return (VideoControl(rawValue: query.id), description)
  }

  package func menuEntry(
    _ handle: VideoHandle, _ control: VideoControl, _ kind: VideoControlKind, at index: Int64
  ) throws(KernelRefusal) -> VideoMenuEntry? {
    guard let index = UInt32(exactly: index) else { return nil }
    var value: Int64 = 0
    var name = [CChar](repeating: 0, count: 33)
    let failure = cam_v4l2_query_menu(handle.descriptor, control.rawValue, index, &value, &name)
    if failure == EINVAL { return nil }
    if failure != 0 { throw KernelRefusal(.menuEntry, failure) }
    if kind == .integerMenu { return VideoMenuEntry(value) }
    return VideoMenuEntry(string(name))
  }

  package func value(
    _ handle: VideoHandle, of control: VideoControl, _ kind: VideoControlKind
  ) throws(KernelRefusal) -> Int64 {
    if kind == .wideInteger {
      var value: Int64 = 0
      let failure = cam_v4l2_get_wide(handle.descriptor, control.rawValue, &value)
      if failure != 0 { throw KernelRefusal(.value, failure) }
      return value
    }
    var setting = v4l2_control(id: control.rawValue, value: 0)
    try call(.value, handle, cam_v4l2_VIDIOC_G_CTRL, &setting)
    // Bits use all 32 of them.
    return kind == .bits ? Int64(UInt32(bitPattern: setting.value)) : Int64(setting.value)
  }

  package func setValue(
    _ handle: VideoHandle, of control: VideoControl, _ kind: VideoControlKind, to value: Int64
  ) throws(KernelRefusal) {
    if kind == .wideInteger {
      let failure = cam_v4l2_set_wide(handle.descriptor, control.rawValue, value)
      if failure != 0 { throw KernelRefusal(.setValue, failure) }
      return
    }
    let narrow = kind == .bits ? Int32(bitPattern: UInt32(clamping: value)) : Int32(clamping: value)
    var setting = v4l2_control(id: control.rawValue, value: narrow)
    try call(.setValue, handle, cam_v4l2_VIDIOC_S_CTRL, &setting)
  }

  package func text(
    _ handle: VideoHandle, of control: VideoControl, longest: Int
  ) throws(KernelRefusal) -> String {
    var bytes = [CChar](repeating: 0, count: longest + 1)
    let failure = cam_v4l2_get_text(handle.descriptor, control.rawValue, &bytes, UInt32(bytes.count))
    if failure != 0 { throw KernelRefusal(.text, failure) }
    return string(bytes)
  }

  package func setText(
    _ handle: VideoHandle, of control: VideoControl, to text: String
  ) throws(KernelRefusal) {
    var bytes = text.utf8CString.map { $0 }
    let failure = cam_v4l2_set_text(handle.descriptor, control.rawValue, &bytes, UInt32(bytes.count))
    if failure != 0 { throw KernelRefusal(.setText, failure) }
  }

  private func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  // MARK: Changes

  package func subscribe(_ handle: VideoHandle, to control: VideoControl) throws(KernelRefusal) {
    let failure = cam_v4l2_subscribe_control(handle.descriptor, control.rawValue)
    if failure != 0 { throw KernelRefusal(.subscribe, failure) }
  }

  package func waitForChange(
    _ handle: VideoHandle, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> VideoReadiness {
    var readiness = try poll(handle, wake, for: Int16(POLLPRI), .changed, nanoseconds: nanoseconds)
    if readiness.contains(.changed) {
      var failure: Int32 = 0
      while failure == 0 { failure = cam_v4l2_take_event(handle.descriptor) }
      // ENOENT is the end of what was pending.
      if failure == ENODEV { readiness.insert(.failed) }
    }
    return readiness
  }
}

extension VideoControlKind {
  fileprivate init(type: UInt32, elements: UInt32) {
    switch type {
    case _ where elements > 0: self = .compound
    case UInt32(V4L2_CTRL_TYPE_INTEGER.rawValue): self = .integer
    case UInt32(V4L2_CTRL_TYPE_BOOLEAN.rawValue): self = .boolean
    case UInt32(V4L2_CTRL_TYPE_MENU.rawValue): self = .menu
    case UInt32(V4L2_CTRL_TYPE_BUTTON.rawValue): self = .button
    case UInt32(V4L2_CTRL_TYPE_INTEGER64.rawValue): self = .wideInteger
    case UInt32(V4L2_CTRL_TYPE_CTRL_CLASS.rawValue): self = .heading
    case UInt32(V4L2_CTRL_TYPE_STRING.rawValue): self = .text
    case UInt32(V4L2_CTRL_TYPE_BITMASK.rawValue): self = .bits
    case UInt32(V4L2_CTRL_TYPE_INTEGER_MENU.rawValue): self = .integerMenu
    default: self = .compound
    }
  }
}
