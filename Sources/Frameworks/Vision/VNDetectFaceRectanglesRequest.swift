internal import CoreVideo
public import Foundation
internal import PeopleFinding

/// A face.
///
/// Source: [VNFaceObservation](https://developer.apple.com/documentation/vision/vnfaceobservation).
open class VNFaceObservation: VNDetectedObjectObservation, @unchecked Sendable {  // Safe: constants.
  /// By how much the head leans, in radians from -π to π, counterclockwise as the picture is looked at.
  ///
  /// Apple: `VNFaceObservation.roll`.
  public let roll: NSNumber?
  /// By how much the head is turned about its height, in radians.
  ///
  /// Positive where it looks to the picture's right; `nil` where that cannot be seen. An estimate, good to some fifteen degrees.
  ///
  /// Apple: `VNFaceObservation.yaw`.
  public let yaw: NSNumber?
  /// By how much the head nods: `nil`, the model does not say.
  ///
  /// Apple: `VNFaceObservation.pitch`.
  public let pitch: NSNumber? = nil

  init(_ face: FoundFace, _ places: PartPlaces) {
    func radians(_ degrees: Double) -> NSNumber {
      NSNumber(value: (degrees > 180 ? degrees - 360 : degrees) * .pi / 180)
    }
    roll = radians(FoundFace.turn(-face.rollDegrees))
    yaw = face.yawDegrees.map { radians(FoundFace.turn(-$0)) }
    super.init(boundingBox: places.rect(face.bounds), confidence: face.score)
  }
}

/// A search for faces.
///
/// It needs a model, which `scripts/setup --models` fetches; without, it fails with `invalidModel`.
///
/// Source: [VNDetectFaceRectanglesRequest](https://developer.apple.com/documentation/vision/vndetectfacerectanglesrequest).
open class VNDetectFaceRectanglesRequest: VNImageBasedRequest, @unchecked Sendable {  // Safe as the base.
  private var finder: FaceFinder?

  /// The faces that were found last, the surest first; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNDetectFaceRectanglesRequest.results`.
  open var results: [VNFaceObservation]? { observations as? [VNFaceObservation] }

  /// The first three versions, which find the same.
  ///
  /// Apple: `VNRequest.supportedRevisions`.
  open override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    let finder = try self.finder ?? loaded { try FaceFinder() }
    self.finder = finder
    return try finder.faces(in: part).sorted { $0.score > $1.score }.map { VNFaceObservation($0, places) }
  }
}

/// Loads a model's finder; where there is none it says so as Vision does.
func loaded<Finder>(_ load: () throws -> Finder) throws -> Finder {
  do {
    return try load()
  } catch {
    throw VNErrorCode.invalidModel.error("\(error)")
  }
}
