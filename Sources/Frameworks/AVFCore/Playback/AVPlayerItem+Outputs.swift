internal import FoundationExtras
internal import Linux

/// The outputs that take an item's media beside its player.
extension AVPlayerItem {
  /// Adds an output.
  ///
  /// An output of another item is a programming mistake. Apple: `AVPlayerItem.add(_:)`.
  public func add(_ output: AVPlayerItemOutput) {
    guard output.attach(to: self) else {
      ProgrammingMistake.report(
        rule: "An output of another item cannot be added; remove it from there first.")
      return
    }
    let isNew = state.withLock { state in
      guard !state.outputs.contains(where: { $0 === output }) else { return false }
      state.outputs.append(output)
      return true
    }
    if isNew { outputsChanged(output) }
  }

  /// Removes an output.
  ///
  /// Apple: `AVPlayerItem.remove(_:)`.
  public func remove(_ output: AVPlayerItemOutput) {
    guard outputs.contains(where: { $0 === output }) else { return }
    _ = output.attach(to: nil)
    state.withLock { $0.outputs.removeAll { $0 === output } }
    outputsChanged(output)
  }

  /// The outputs, in the order in which they were added.
  ///
  /// Apple: `AVPlayerItem.outputs`.
  public var outputs: [AVPlayerItemOutput] { state.withLock { $0.outputs } }

  /// The item's time has jumped.
  func flushOutputs(effects: PlayerCore) {
    for output in outputs { output.flush(effects: effects) }
  }

  /// Whether a player's layers show the item's pictures, which an output may have to itself.
  var showsPictures: Bool {
    !outputs.contains { $0 is AVPlayerItemVideoOutput && $0.suppressesPlayerRendering }
  }

  private func outputsChanged(_ output: AVPlayerItemOutput) {
    output.attached()
    guard output.suppressesPlayerRendering, let core else { return }
    core.change { core.outputsChanged(of: self) }
  }
}
