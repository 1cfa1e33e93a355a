internal import CameraFrames

/// The structure of a session: as committed, and as calls between begin and commit see it.
struct SessionEdits {
  /// How many begins have no commit yet.
  private var depth = 0
  /// The structure with the calls since the first begin; `nil` outside of begin and commit.
  private var draft: SessionStructure?
  var committed = SessionStructure()
  /// The committed structure as a value, with the effects of its cameras, as it was at the first begin; `nil` outside of begin and
  /// commit.
  ///
  /// Devices, outputs and connections show what calls have made of them since; until the commit the devices run as before.
  private(set) var running: (graph: CaptureGraph, effects: [String: [FrameEffect]])?

  /// Whether a commit is to come.
  var isOpen: Bool { depth > 0 }

  /// The structure that calls see and change: the draft between begin and commit.
  var structure: SessionStructure {
    get { draft ?? committed }
    set { if isOpen { draft = newValue } else { committed = newValue } }
  }

  /// Begins.
  ///
  /// - Parameter running: ``committed`` as a value, with its effects, which the caller makes under no lock, for inputs and outputs are
  ///   asked; `nil` before it is known to be needed. A begin inside another one needs none.
  /// - Returns: Whether it has begun; `false` when it needs the value.
  mutating func begin(_ running: (graph: CaptureGraph, effects: [String: [FrameEffect]])?) -> Bool {
    if !isOpen {
      guard let running else { return false }
      draft = committed
      self.running = running
    }
    depth += 1
    return true
  }

  /// Ends the newest begin.
  ///
  /// - Returns: The edits as they were, for the caller to let go under no lock; `nil` when there is nothing to carry out.
  mutating func commit() -> SessionEdits? {
    guard isOpen else { return nil }
    depth -= 1
    guard !isOpen, let draft else { return nil }
    let former = self
    committed = draft
    self.draft = nil
    running = nil
    return former
  }
}
