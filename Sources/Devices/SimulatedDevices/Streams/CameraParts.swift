internal import CaptureDevice

/// The parts that a camera and its streams share: model, world, faults, controls and painters.
struct CameraParts: Sendable {
  let model: SimulatedDeviceModel
  let world: SimulatedWorld
  let faults: StreamFaults
  let controls: LiveControls
  /// Of stills.
  let painters: StillPainters

  init(_ model: SimulatedDeviceModel, _ world: SimulatedWorld) {
    var model = model
    let seen = world.scene.layers.filter { $0.position == nil || $0.position == model.facts.position }
    if model.facts.media.contains(.video), seen.contains(where: { $0.content.person != nil }) {
      model.facts.capabilities.personParts = PartDrawing.parts
    }
    self.model = model
    self.world = world
    faults = StreamFaults(model.facts, world)
    controls = LiveControls(model: model, world: world)
    painters = StillPainters(model: model, world: world)
  }

  var name: String { model.facts.name }

  /// An error of the device; `what` follows its name in the sentence.
  func error(_ code: CaptureDeviceError.Code, _ what: String) -> CaptureDeviceError {
    CaptureDeviceError(code, "\(name) \(what)")
  }
}
