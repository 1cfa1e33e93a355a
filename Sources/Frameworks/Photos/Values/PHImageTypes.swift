/// The fit of a picture to the size that was asked for.
///
/// Apple: `PHImageContentMode`.
public enum PHImageContentMode: Int, Sendable {
  /// As a whole inside of it.
  case aspectFit = 0
  /// So that it covers all of it.
  case aspectFill = 1

  /// As a whole inside of it.
  public static let `default` = PHImageContentMode.aspectFit
}

/// The version of a picture that is asked for.
///
/// Apple: `PHImageRequestOptionsVersion`.
public enum PHImageRequestOptionsVersion: Int, Sendable {
  /// With the user's changes.
  case current = 0
  /// Without them.
  case unadjusted = 1
  /// As it was taken.
  case original = 2
}

/// The delivery mode of an image request: several pictures, the best one, or the fastest one.
///
/// Apple: `PHImageRequestOptionsDeliveryMode`.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
  /// Several pictures, each better than the last.
  case opportunistic = 0
  /// One picture, the best.
  case highQualityFormat = 1
  /// One picture, the first that is there.
  case fastFormat = 2
}

/// The exactness with which the size is kept.
///
/// Apple: `PHImageRequestOptionsResizeMode`.
public enum PHImageRequestOptionsResizeMode: Int, Sendable {
  /// Not at all: the picture keeps its own size.
  case none = 0
  /// So that it decodes fast: the picture may be larger.
  case fast = 1
  /// To the pixel.
  case exact = 2
}

/// The version of a video that is asked for.
///
/// Apple: `PHVideoRequestOptionsVersion`.
public enum PHVideoRequestOptionsVersion: Int, Sendable {
  /// With the user's changes.
  case current = 0
  /// As it was taken.
  case original = 1
}

/// The delivery mode of a video request: the quality that is asked for.
///
/// Apple: `PHVideoRequestOptionsDeliveryMode`.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable {
  /// The library decides.
  case automatic = 0
  /// The best.
  case highQualityFormat = 1
  /// A good one.
  case mediumQualityFormat = 2
  /// The first that is there.
  case fastFormat = 3
}
