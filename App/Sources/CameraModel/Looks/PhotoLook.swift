/// The filter and the aspect that a camera's picture gets before it is a photo; the preview shows the same.
struct PhotoLook: Sendable, Hashable {
  var filter = PhotoFilter.none
  var aspect = PhotoAspect.sensor
}
