/// Counts how often the middle of the picture has changed greatly.
///
/// Compares thumbnails: a change is one of a twentieth of full scale in the mean over the middle quarter of the picture.
struct SceneMonitor: Sendable {
  var isOn = false {
    didSet {
      guard isOn != oldValue else { return }
      reference = []
      if isOn { count = 0 }
    }
  }
  private(set) var count: UInt32 = 0
  private var reference: [UInt8] = []

  private static let threshold = 12.75

  /// Looks at the next frame.
  mutating func note(_ probe: SceneProbe, view: FrameView) {
    guard isOn else { return }
    let middle = probe.middle(view: view)
    guard reference.count == middle.count, !middle.isEmpty else {
      reference = middle
      return
    }
    var difference = 0
    for index in middle.indices { difference += abs(Int(middle[index]) - Int(reference[index])) }
    guard Double(difference) > Self.threshold * Double(middle.count) else { return }
    count += 1
    reference = middle
  }
}
