package import Foundation

/// A joint or a part of the head that the body model places, with its number among the model's marks; left and right are the person's own.
package enum BodyJoint: Int, Sendable, Hashable, CaseIterable {
  case nose = 0
  case leftEye = 2
  case rightEye = 5
  case leftEar = 7
  case rightEar = 8
  case leftShoulder = 11
  case rightShoulder = 12
  case leftElbow = 13
  case rightElbow = 14
  case leftWrist = 15
  case rightWrist = 16
  case leftHip = 23
  case rightHip = 24
  case leftKnee = 25
  case rightKnee = 26
  case leftAnkle = 27
  case rightAnkle = 28
}

/// The place of a joint in pixels of the picture; where it lies beyond the picture, or is hidden, a guess.
package struct FoundJoint: Sendable, Hashable {
  /// The place.
  package var place: CGPoint
  /// How likely it is to be seen there, from 0 to 1; 0 beyond the picture.
  package var confidence: Double
}
