internal import AVFCapture
internal import CameraTasks
internal import Linux

extension CameraWaiting {
  /// The waiting that `--wait` asks for; `nil` without it.
  init?(_ arguments: Arguments, _ terminal: Terminal) {
    guard arguments.has("wait") else { return nil }
    self.init { terminal.say("obscura: \($0)") }
  }

  /// The camera that `choose` finds: as soon as there is one before the deadline, where that is waited for, else now.
  static func camera(
    _ waiting: CameraWaiting?, _ stop: StopRequest, until deadline: MonotonicInstant? = nil,
    _ choose: () throws -> AVCaptureDevice
  ) throws -> AVCaptureDevice {
    try waiting?.camera(stop: stop, until: deadline, choose) ?? choose()
  }
}
