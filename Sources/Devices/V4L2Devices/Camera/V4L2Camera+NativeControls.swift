public import CaptureDevice
internal import Glibc
internal import Linux
internal import StreamParts

extension V4L2Camera: NativeControls {
  /// Every control of the driver's list, headings and what it calls disabled excepted.
  ///
  /// C: `VIDIOC_QUERY_EXT_CTRL`, `VIDIOC_QUERYMENU`, `VIDIOC_G_EXT_CTRLS`.
  public func nativeControls() throws(CaptureDeviceError) -> [NativeControl] {
    try withNode("be asked for its controls") { handle throws(KernelRefusal) in
      var found: [NativeControl] = []
      for (control, description) in try list(handle) {
        found.append(try native(control, description, handle))
      }
      return found
    }
  }

  /// Sets a control by its name.
  ///
  /// C: `VIDIOC_S_CTRL`, `VIDIOC_S_EXT_CTRLS`.
  public func setNativeControl(
    _ name: String, to value: NativeControlValue
  ) throws(CaptureDeviceError) -> NativeControl {
    let doing = "set \(name) to \(value)"
    let answer = try withNode(doing) {
      handle throws(KernelRefusal) -> Result<NativeControl, CaptureDeviceError> in
      guard let (control, description) = try list(handle).first(where: { Self.name($0.1) == name }) else {
        return .failure(
          refusal(doing, "it has no control of that name; 'obscura devices --controls' lists them"))
      }
      let present = try native(control, description, handle)
      if let reason = objection(to: value, present) { return .failure(refusal(doing, reason)) }
      do throws(KernelRefusal) {
        try writing.withLock { () throws(KernelRefusal) in
          switch value {
          case .number(let number): try kernel.setValue(handle, of: control, description.kind, to: number)
          case .text(let text): try kernel.setText(handle, of: control, to: text)
          }
          if table.has(control) { _ = history.add(readState(handle)) }
        }
      } catch  where [EINVAL, ERANGE].contains(error.errno) {
        let now = try kernel.control(handle, control) ?? description
        let why = now.flags.contains(.inactive) ? " while another control decides it" : ""
        return .failure(refusal(doing, "its driver does not take that value\(why)"))
      }
      return .success(try native(control, try kernel.control(handle, control) ?? description, handle))
    }
    return try answer.get()
  }

  // MARK: Asking

  private func withNode<Answer>(
    _ doing: String, _ body: (VideoHandle) throws(KernelRefusal) -> Answer
  ) throws(CaptureDeviceError) -> Answer {
    do throws(KernelRefusal) {
      let handle = try kernel.open(path)
      defer { kernel.close(handle) }
      return try body(handle)
    } catch {
      throw refused(error, doing)
    }
  }

  private func refusal(_ doing: String, _ reason: String) -> CaptureDeviceError {
    device.error(.controlUnsupported, "cannot \(doing): \(reason).")
  }

  private static func name(_ description: VideoControlDescription) -> String {
    NativeControl.name(of: description.name)
  }

  private func list(
    _ handle: VideoHandle
  ) throws(KernelRefusal) -> [(VideoControl, VideoControlDescription)] {
    var found: [(VideoControl, VideoControlDescription)] = []
    // More than any driver has: an end for drivers that never say one.
    for _ in 0..<2048 {
      guard let next = try kernel.nextControl(handle, after: found.last?.0) else { break }
      // A driver that goes back would be asked for ever.
      if let last = found.last?.0, next.0.rawValue <= last.rawValue { break }
      found.append(next)
    }
    return found.filter { $0.1.kind != .heading && !$0.1.flags.contains(.disabled) }
  }

  private func native(
    _ control: VideoControl, _ description: VideoControlDescription, _ handle: VideoHandle
  ) throws(KernelRefusal) -> NativeControl {
    var native = NativeControl(
      name: Self.name(description), title: description.name, kind: NativeControl.Kind(description.kind),
      range: min(description.minimum, description.maximum)...description.maximum, step: description.step,
      defaultValue: description.defaultValue)
    if native.kind == .menu {
      let entries = try ControlTable.menu(kernel, handle, control, description)
      native.entries = entries.sorted { $0.key < $1.key }.map { index, entry in
        NativeControl.Entry(value: index, name: entry.name.isEmpty ? String(entry.value) : entry.name)
      }
    }
    native.isReadOnly = description.flags.contains(.readOnly)
    native.isInactive = description.flags.contains(.inactive)
    native.isVolatile = description.flags.contains(.volatile)
    native.isGrabbed = description.flags.contains(.grabbed)
    if description.isReadable {
      switch description.kind {
      case .button, .heading, .compound: break
      case .text:
        let longest = Int(clamping: max(description.maximum, 0))
        native.value = (try? kernel.text(handle, of: control, longest: longest)).map { .text($0) }
      case .integer, .boolean, .menu, .integerMenu, .bits, .wideInteger:
        // USB cameras stall on some of what they claim to have: such a control is listed without a value.
        native.value = (try? kernel.value(handle, of: control, description.kind)).map { .number($0) }
      }
    }
    return native
  }

  /// The reason why a control cannot be set so; `nil` when the driver may be asked.
  private func objection(to value: NativeControlValue, _ control: NativeControl) -> String? {
    if control.isReadOnly { return "it can only be read" }
    if control.kind == .compound { return "it is an array or a struct, which cannot be set by name" }
    let range = "\(control.range.lowerBound) to \(control.range.upperBound)"
    switch value {
    case .text(let text):
      if control.kind != .text { return "it takes numbers, \(range)" }
      let length = Int64(text.utf8.count)
      return control.range.contains(length) ? nil : "it takes a text of \(range) bytes"
    case .number(let number):
      switch control.kind {
      case .text: return "it takes a text"
      case .button: return nil
      case .menu:
        if control.entries.contains(where: { $0.value == number }) { return nil }
        return "it takes " + control.entries.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
      case .bits:
        return number >= 0 && number & ~control.range.upperBound == 0
          ? nil : "it takes the bits of \(control.range.upperBound)"
      case .integer, .boolean, .compound:
        guard control.range.contains(number) else { return "it takes \(range)" }
        // A range of all 64 bits is longer than the greatest signed number.
        let distance = UInt64(bitPattern: number &- control.range.lowerBound)
        let isOnStep = distance % UInt64(max(control.step, 1)) == 0
        return isOnStep ? nil : "it takes \(range) in steps of \(control.step)"
      }
    }
  }
}

extension NativeControl.Kind {
  fileprivate init(_ kind: VideoControlKind) {
    switch kind {
    case .integer, .wideInteger: self = .integer
    case .boolean: self = .boolean
    case .menu, .integerMenu: self = .menu
    case .button: self = .button
    case .bits: self = .bits
    case .text: self = .text
    case .heading, .compound: self = .compound
    }
  }
}
