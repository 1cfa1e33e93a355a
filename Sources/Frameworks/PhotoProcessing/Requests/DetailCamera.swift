package import CameraFrames
package import CaptureDevice

/// The camera under a virtual one that sees the middle of the frame in use with a longer lens.
///
/// Apple documents that zoom, light and focus decide whether pictures are joined, and not how. Here it is the next longer lens, as long as
/// the frame is of the lens that zoom asks for (not of one that was chosen for little light or near things), both lenses show straight lines straight,
/// and what is in focus is not too near for it.
package struct DetailCamera: Sendable, Hashable {
  /// `AVCaptureDevice.uniqueID`.
  package let uniqueID: String
  /// The part of the frame's sides that its view covers, below 1.
  package let share: Double
  /// How many times the picture of the lens in use is enlarged.
  package let enlargement: Double

  /// The enlargement below which the lens in use is as sharp.
  package static let least = 1.1

  /// The camera for a frame of these controls; `nil` where none would help.
  package init?(_ lenses: CameraLenses, _ controls: ControlState) {
    guard let present = controls.constituent, let own = lenses.constituents[present] else { return nil }
    let longer = lenses.constituents.filter { $0.value.zoom > own.zoom }.min { $0.value.zoom < $1.value.zoom }
    guard let longer, controls.zoom >= own.zoom, controls.zoom < longer.value.zoom else { return nil }
    if !controls.isDistortionCorrected, own.lens.bending != longer.value.lens.bending { return nil }
    // The lens's position counts in dioptres, from the nearest thing that it can focus on to the farthest.
    if let nearest = own.lens.minimumFocusDistance, let itsNearest = longer.value.lens.minimumFocusDistance,
      Double(nearest) < Double(itsNearest) * Double(1 - controls.lensPosition)
    {
      return nil
    }
    uniqueID = longer.key
    share = controls.zoom / longer.value.zoom
    enlargement = controls.zoom / own.zoom
  }
}
