/// A mapping of a range of one timeline to a range of another, as in an edit list.
///
/// An empty range has an invalid `source.start`. Apple: `CMTimeMapping`.
public struct CMTimeMapping: Sendable, Hashable, BitwiseCopyable {
  /// The range of the source, for instance of the media.
  public var source: CMTimeRange
  /// Where it lies on the target, for instance on the track; played at rate `source.duration / target.duration`.
  public var target: CMTimeRange

  /// An invalid mapping.
  public init() {
    source = .invalid
    target = .invalid
  }

  /// Maps one range to the other.
  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }

  /// No mapping at all.
  public static let invalid = CMTimeMapping()
}

/// Maps one range to the other.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: source, target: target)
}

/// Maps nothing to a range, which stays empty.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: .invalid, target: target)
}
