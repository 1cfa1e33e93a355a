internal import CaptureDevice
internal import Foundation

/// The active effects of a camera, with their strengths.
struct VideoEffectLook: Sendable, Equatable {
  /// The part of the pictures in which Center Stage shows people, as fractions from the top left; `nil` without the effect.
  var centerStage: CGRect?
  /// The strength of Portrait, from 0 to 1; `nil` without the effect.
  var portrait: Double?
  /// Whether Portrait goes by depth, where the camera measures it.
  var blursByDepth: Bool
  /// The strength of Studio Light, from 0 to 1; `nil` without the effect.
  var studioLight: Double?
  /// The path of the picture that replaces the background; `nil` without the effect.
  var background: String?
  /// Whether reactions are drawn.
  var reacts: Bool
  /// Whether hand signs are recognized.
  var watchesHands: Bool

  /// Whether pictures are changed.
  var draws: Bool { needsMask || reacts || centerStage != nil }

  /// Whether it needs a mask of the people.
  var needsMask: Bool { portrait != nil || studioLight != nil || background != nil }

  /// Whether it needs a mask of the people where Portrait goes by depth.
  var needsMaskBesideDepth: Bool { studioLight != nil || background != nil }

  /// The effects that `choices` make active in a format; `nil` without any.
  ///
  /// - Parameter rectOfInterest: That of Center Stage; `nil` where something else keeps it from being active.
  init?(_ choices: VideoEffectChoices, _ format: StreamFormat?, rectOfInterest: CGRect?, reacts: Bool) {
    func choice(_ effect: VideoEffect) -> VideoEffectChoice? {
      choices[effect].isOn && format?.supports(effect) == true ? choices[effect] : nil
    }
    self.reacts = reacts && choice(.reactions) != nil
    watchesHands = choice(.reactions) != nil && choice(.gestures) != nil
    centerStage = choice(.centerStage) == nil ? nil : rectOfInterest
    portrait = choice(.portrait)?.strength
    blursByDepth =
      portrait != nil && choices.blursByDepth && format?.depthFormats.contains(where: \.isAligned) == true
    studioLight = choice(.studioLight)?.strength
    if let behind = choice(.background) {
      background = behind.picture
      // Without a picture the background is blurred as far as possible.
      if background == nil { portrait = 1 }
    }
    if !draws, !watchesHands { return nil }
  }
}

extension VideoEffectChoices {
  /// Whether Portrait is on, and no other background: it goes by the depth of a camera that measures it.
  var blursByDepth: Bool { self[.portrait].isOn && !self[.background].isOn }
}
