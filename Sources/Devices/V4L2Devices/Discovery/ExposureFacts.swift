package import CaptureDevice

/// What a camera's controls say about exposure.
package struct ExposureFacts: Sendable, Hashable {
  /// The kernel's unit of exposure.
  ///
  /// C: `V4L2_CID_EXPOSURE_ABSOLUTE`.
  package static let unitNanoseconds: Int64 = 100_000

  /// Which entry of the kernel's menu stands for each mode that the camera has.
  package private(set) var entries: [ExposureMode: VideoExposureMenu] = [:]
  /// Nanoseconds; `nil` where the camera does not tell.
  package private(set) var durations: ClosedRange<Int64>?
  /// `nil` where the camera does not tell; a gain without a unit is no ISO value.
  package private(set) var iso: ClosedRange<Float>?

  /// The modes that the camera has.
  package var modes: Set<ExposureMode> { Set(entries.keys) }

  /// Asks an open camera.
  package init(_ kernel: any VideoKernel, _ handle: VideoHandle) throws(KernelRefusal) {
    if let range = try kernel.control(handle, .exposureAuto) {
      var present: Set<VideoExposureMenu> = []
      for entry in VideoExposureMenu.allCases where (range.minimum...range.maximum).contains(entry.rawValue) {
        if try kernel.menuValue(handle, .exposureAuto, at: entry.rawValue) != nil { present.insert(entry) }
      }
      // Webcams call "automatic" what leaves the aperture alone: they have none to move.
      entries[.continuousAuto] = present.contains(.aperturePriority) ? .aperturePriority : nil
      if present.contains(.auto) { entries[.continuousAuto] = .auto }
      entries[.locked] = present.contains(.manual) ? .manual : nil
    }
    if let range = try kernel.control(handle, .exposureAbsolute), range.maximum > 0 {
      // Some drivers begin at 0, which no sensor can do.
      durations =
        Int64(max(range.minimum, 1)) * Self.unitNanoseconds...Int64(range.maximum) * Self.unitNanoseconds
    }
    if let range = try kernel.control(handle, .isoSensitivity), range.minimum >= 0 {
      var values: [Float] = []
      for index in range.minimum...min(range.maximum, range.minimum + CameraProbe.longestList) {
        if let value = try kernel.menuValue(handle, .isoSensitivity, at: index), value > 0 {
          values.append(Float(value) / 1000)
        }
      }
      if let least = values.min(), let most = values.max() { iso = least...most }
    }
  }
}
