/// What is made of a camera's picture before it is a photo; the preview shows the same.
struct PhotoLook: Sendable, Hashable {
  var filter = PhotoFilter.none
  var aspect = PhotoAspect.sensor

  /// Whether a picture of this size would be another one with it.
  func changes(width: Int, height: Int) -> Bool {
    filter != .none || aspect.cuts(width: width, height: height)
  }
}
