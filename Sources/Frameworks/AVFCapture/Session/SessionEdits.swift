/// What a session is made of: as committed, and as calls between begin and commit see it.
struct SessionEdits {
  /// How many begins have no commit yet.
  private var depth = 0
  /// What the calls since the first begin have made of the structure; `nil` outside of begin and commit.
  private var draft: SessionStructure?
  var committed = SessionStructure()

  /// Whether a commit is to come.
  var isOpen: Bool { depth > 0 }

  /// What calls see and change: the draft between begin and commit.
  var structure: SessionStructure {
    get { draft ?? committed }
    set { if isOpen { draft = newValue } else { committed = newValue } }
  }

  mutating func begin() {
    if !isOpen { draft = committed }
    depth += 1
  }

  /// Ends the newest begin.
  ///
  /// - Returns: What was committed before, for the caller to let go under no lock; `nil` when there is nothing to carry out.
  mutating func commit() -> SessionStructure? {
    guard isOpen else { return nil }
    depth -= 1
    guard !isOpen, let draft else { return nil }
    defer {
      committed = draft
      self.draft = nil
    }
    return committed
  }
}
