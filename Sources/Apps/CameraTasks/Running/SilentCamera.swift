internal import AVFCapture

/// A camera that runs and gave nothing in time: why, and what to do.
package struct SilentCamera: Sendable {
  /// The name for people.
  package var name: String
  /// Whether it works in this program and the machine gives it no time: then it is slow, and nothing is wrong with it.
  package var isSlow: Bool

  package init(name: String, isSlow: Bool) {
    self.name = name
    self.isSlow = isSlow
  }

  /// The error's sentence.
  ///
  /// - Parameters:
  ///   - what: What did not come, such as `runs, but no picture came within 10 s`.
  ///   - remedy: What to do about a camera that is silent.
  package func sentence(_ what: String, remedy: String) -> String {
    "\(name) \(what); \(isSlow ? "the machine is too busy to make it; close other programs." : remedy)"
  }
}

extension CameraRun {
  /// The run's camera, should it give nothing.
  package var silentCamera: SilentCamera {
    SilentCamera(
      name: camera.localizedName,
      isSlow: session.connections.contains { $0.stillSource?.isBehind == true })
  }
}
