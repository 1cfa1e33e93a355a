internal import CoreMedia

/// Timed metadata, which outputs hand to their delegates.
extension PlayerCore {
  /// Has the outputs of the current item hand over what is due.
  func showMetadata(_ entry: ItemPlayback) {
    guard entry === current, entry.isLoaded, entry.seek == nil, entry.item.status == .readyToPlay else {
      return
    }
    for output in entry.item.metadataOutputs { output.advance(entry, core: self) }
  }

  /// An item has another output of metadata, or more of its metadata was read.
  func metadataChanged(of item: AVPlayerItem) {
    guard let current, current.item === item else { return }
    showMetadata(current)
    schedule()
  }
}
