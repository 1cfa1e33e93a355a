public import CoreMedia
public import Foundation

/// The base of metadata objects: objects that were found in a picture.
///
/// Immutable; made by outputs, and by converting one into another space.
///
/// Apple: `AVMetadataObject`.
open class AVMetadataObject: NSObject, @unchecked Sendable {  // Safe: constants only.
  /// The place of an object in one space: its bounds and corners.
  struct Place: Sendable {
    var bounds: CGRect
    var corners: [CGPoint] = []
  }

  /// When the picture was taken, on the clock of sample buffers: a data output's frame with the same time is the same frame.
  ///
  /// Apple: `AVMetadataObject.time`.
  public let time: CMTime

  /// For how long the object is there; invalid, for one picture says nothing of that.
  ///
  /// Apple: `AVMetadataObject.duration`.
  public let duration: CMTime

  /// The smallest upright rectangle around the object.
  ///
  /// As an output reports it: (0, 0) is the top left corner of the sensor's own picture, unturned and unmirrored, (1, 1) the
  /// bottom right one. Converted objects have it in the points of a layer or the pixels of an output's pictures.
  ///
  /// Apple: `AVMetadataObject.bounds`.
  open var bounds: CGRect { place.bounds }

  /// The type of the object.
  ///
  /// Apple: `AVMetadataObject.type`.
  public let type: ObjectType

  let place: Place
  /// As the output reported it, whatever it was converted into.
  let original: Place
  /// The input whose picture it was found in.
  let source: NodeID

  init(type: ObjectType, time: CMTime, place: Place, original: Place? = nil, source: NodeID) {
    self.type = type
    self.time = time
    duration = .invalid
    self.place = place
    self.original = original ?? place
    self.source = source
    super.init()
  }

  /// The same object in another space; subclasses return their own kind.
  func placed(in place: Place) -> AVMetadataObject {
    AVMetadataObject(type: type, time: time, place: place, original: original, source: source)
  }

  /// The object as `connection` brings it to where `transform` leads from the sensor's picture; `nil` when it was found in
  /// pictures of another input.
  final func converted(
    through connection: AVCaptureConnection, _ transform: (CGRect, [CGPoint]) -> (CGRect, [CGPoint])
  ) -> AVMetadataObject? {
    guard connection.inputPorts.contains(where: { $0.input.id == source }) else { return nil }
    let (bounds, corners) = transform(original.bounds, original.corners)
    return placed(in: Place(bounds: bounds, corners: corners))
  }
}
