internal import CaptureDevice
internal import CoreVideo
internal import FoundationExtras

/// The people of one simulated frame, exactly as its pixels show them: as blurred, bent and moved by hand, but without noise.
final class SimulatedPeople: FramePeople {
  private let camera: CameraParts
  private let moment: FrameMoment

  init(_ camera: CameraParts, _ moment: FrameMoment) {
    self.camera = camera
    self.moment = FrameMoment(
      seconds: moment.seconds, sequence: moment.sequence, gain: 1, iso: 100, isFlash: false, isNoisy: false,
      view: moment.view, shake: moment.shake)
  }

  func matte(of part: PersonPart, size: FrameSize) throws(CaptureDeviceError) -> CVPixelBuffer {
    let key = PainterKey(size: size, format: FourCharacterCodes.fullRange420, usesP3: false, isPicture: true)
    let matte: CVPixelBuffer
    do {
      matte = try key.makeBuffer()
    } catch {
      throw camera.error(
        .outOfMemory, "has no memory for a matte of \(size) (\(error)); close other programs.")
    }
    FramePainter(key, model: camera.model, world: camera.world, showing: part).paint(moment, into: matte)
    return matte
  }
}
