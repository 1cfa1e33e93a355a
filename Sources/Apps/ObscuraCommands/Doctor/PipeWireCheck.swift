internal import CaptureDevice
internal import PipeWireDevices

/// Looks at PipeWire's cameras: whether it answers, which it has, and which of them are listed elsewhere.
struct PipeWireCheck {
  /// The findings; empty where PipeWire's cameras are not asked for.
  ///
  /// Without PipeWire the kernel's cameras go on, so that is a note.
  func findings() -> [Finding] {
    (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? PipeWireDeviceProvider }.flatMap {
      provider in
      let found = provider.diagnose()
      let leftOut = found.leftOut.map { Finding("pipewire", $0) }
      if let obstacle = found.obstacle { return [Finding("pipewire", note: obstacle)] + leftOut }
      let cameras =
        found.cameras.isEmpty
        ? "PipeWire answers, and has no camera beside those."
        : "PipeWire has \(found.cameras.joined(separator: ", "))."
      let manager =
        found.isManaged
        ? []
        : [
          Finding(
            "pipewire",
            note:
              "No session manager runs beside PipeWire, so it has the cameras that programs offer, and none of the machine's; start one with 'systemctl --user start wireplumber'."
          )
        ]
      return [Finding("pipewire", cameras)] + leftOut + manager
    }
  }
}
