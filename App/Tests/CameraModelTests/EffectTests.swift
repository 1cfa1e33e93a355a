import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `an effect that is switched on elsewhere is switched on here, and off again`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    #expect(!shop.state.effects.portrait.isOn && shop.state.effects.reactions.isOn)
    var choices = VideoEffectChoices.standard
    choices[.portrait] = VideoEffectChoice(isOn: true, strength: 0.75)
    SimulatedDevices.setVideoEffects(choices)
    #expect(await shop.run { $0.effects.portrait == VideoEffectChoice(isOn: true, strength: 0.75) })
    SimulatedDevices.setVideoEffects(.standard)
    #expect(await shop.run { !$0.effects.portrait.isOn })
    choices = .standard
    choices[.voiceIsolation].isOn = true
    SimulatedDevices.setVideoEffects(choices)
    #expect(await shop.run { $0.effects.voiceIsolation.isOn })
    choices = .standard
    choices[.centerStage].isOn = true
    SimulatedDevices.setVideoEffects(choices)
    #expect(await shop.run { $0.effects.centerStage.isOn && !$0.effects.portrait.isOn })
    #expect(shop.state.effects.isAnyActive == (shop.state.effects.facesObstacle == nil))
  }

  @Test func `what is chosen of an effect holds for the camera, of many strengths the last`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.setEffect(.studioLight, on: true)
    for step in 0...20 { shop.model.setEffect(.studioLight, strength: Double(step) / 20) }
    #expect(shop.state.effects.studioLight == VideoEffectChoice(isOn: true, strength: 1))
    #expect(
      await shop.run { _ in
        VideoEffectPreferences.choice(of: .studioLight) == VideoEffectChoice(isOn: true, strength: 1)
      })
    #expect(AVCaptureDevice.isStudioLightEnabled && !AVCaptureDevice.isPortraitEffectEnabled)
    shop.model.setBackground(URL(fileURLWithPath: "/beach.jpg"))
    #expect(await shop.run { _ in VideoEffectPreferences.choice(of: .background).picture == "/beach.jpg" })
    shop.model.setBackground(nil)
    #expect(
      await shop.run { _ in VideoEffectPreferences.choice(of: .background) == VideoEffectChoice(isOn: true) })
    #expect(shop.state.effects.studioLight.strength == 1 && shop.notices.isEmpty)
  }

  @Test func `a reaction is shown by the camera, unless reactions are switched off`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.effects.canReact })
    shop.model.setEffect(.reactions, on: false)
    #expect(await shop.run { _ in !AVCaptureDevice.reactionEffectsEnabled })
    #expect(!shop.state.effects.canReact && shop.state.effects.drawingObstacle == nil)
    shop.model.react(.heart)
    await shop.advance(0.2)
    #expect(shop.camera?.reactionEffectsInProgress.isEmpty == true)
    shop.model.setEffect(.reactions, on: true)
    #expect(await shop.run { _ in AVCaptureDevice.reactionEffectsEnabled })
    shop.model.react(.balloons)
    #expect(await shop.run { _ in shop.camera?.reactionEffectsInProgress.first?.reactionType == .balloons })
  }

  @Test func `effects say what they lack`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    #expect(shop.state.effects.peopleObstacle == .noCamera && !shop.state.effects.canReact)
    try await shop.start()
    let format = try #require(shop.camera?.activeFormat)
    #expect(
      await shop.run { $0.effects.peopleObstacle == (format.isPortraitEffectSupported ? nil : .models) })
    #expect(shop.state.effects.drawingObstacle == nil)
    #expect(shop.state.effects.facesObstacle == (format.isCenterStageSupported ? nil : .models))
  }

  @Test func `every reaction has a picture of its own`() throws {
    let pictures = try ReactionChoice.allCases.map { try #require($0.picture) }
    #expect(pictures.allSatisfy { $0.width == $0.height && $0.width == pictures[0].width })
    #expect(Set(pictures.map(\.bytes)).count == 8)
  }
}
