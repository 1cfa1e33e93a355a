/// Learns that an item's time has jumped: what all delegates of outputs have in common, so that one class can be several of them.
public protocol FlushedOutputDelegate: AnyObject {
  /// The item's time has jumped: what an output has handed over is out of date.
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension FlushedOutputDelegate {
  /// Does nothing.
  public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}
