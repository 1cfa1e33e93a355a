internal import CoreMedia
internal import Foundation
internal import GraphicsCore
internal import PeopleFinding

/// A body that was found in a picture; the base of people's.
///
/// Apple: `AVMetadataBodyObject`.
open class AVMetadataBodyObject: AVMetadataObject, @unchecked Sendable {  // Safe: constants.
  /// The person's number, from 1 on: stays while they are in the picture and the output follows them.
  ///
  /// No two people of one output have the same, and one that comes back has a new one. The upper body and the full body of one
  /// person have the same.
  ///
  /// Apple: `AVMetadataBodyObject.bodyID`.
  public let bodyID: Int

  init(
    bodyID: Int, type: ObjectType, time: CMTime, place: Place, original: Place? = nil, source: NodeID
  ) {
    self.bodyID = bodyID
    super.init(type: type, time: time, place: place, original: original, source: source)
  }
}

/// A person's upper body: from the head to the hips.
///
/// Apple does not say how far a body goes where the full body is another type; what lies below the hips is that type's.
///
/// Apple: `AVMetadataHumanBodyObject`.
open class AVMetadataHumanBodyObject: AVMetadataBodyObject, @unchecked Sendable {  // Safe: constants.
  override func placed(in place: Place) -> AVMetadataObject {
    AVMetadataHumanBodyObject(
      bodyID: bodyID, type: type, time: time, place: place, original: original, source: source)
  }
}

/// A whole person, from the head down as far as the picture goes; at least to the knees.
///
/// Apple: `AVMetadataHumanFullBodyObject`.
open class AVMetadataHumanFullBodyObject: AVMetadataBodyObject, @unchecked Sendable {  // Safe: constants.
  override func placed(in place: Place) -> AVMetadataObject {
    AVMetadataHumanFullBodyObject(
      bodyID: bodyID, type: type, time: time, place: place, original: original, source: source)
  }
}

extension AVMetadataBodyObject {
  /// What is reported of a person found in a picture of `size` pixels, of the types that are looked for.
  static func objects(
    of found: LiveBodyFinder.Tracked, among types: Set<AVMetadataObject.ObjectType>, in size: CGSize,
    time: CMTime, source: NodeID
  ) -> [AVMetadataObject] {
    let unit = CGAffineTransform(scaleX: 1 / size.width, y: 1 / size.height)
    var objects: [AVMetadataObject] = []
    if types.contains(.humanBody) {
      objects.append(
        AVMetadataHumanBodyObject(
          bodyID: found.id, type: .humanBody, time: time,
          place: Place(bounds: found.body.upperBody.applying(unit)), source: source))
    }
    if types.contains(.humanFullBody), let whole = found.body.fullBody {
      objects.append(
        AVMetadataHumanFullBodyObject(
          bodyID: found.id, type: .humanFullBody, time: time, place: Place(bounds: whole.applying(unit)),
          source: source))
    }
    return objects
  }
}
