internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import StillCodecs

/// Makes the pictures of one camera's stream: frames in the buffers of a ring, stills in memory of their own.
///
/// What is painted follows from an exposure alone, whenever that is. Thread-safe; frames are made one at a time.
final class FrameMaker: Sendable {
  private let camera: CameraParts
  private let size: FrameSize
  private let usesP3: Bool
  private let isMotionJPEG: Bool
  /// Whether frames are the sensor's numbers.
  private let isMosaic: Bool
  private let stillMosaic: StillMosaicFormat?
  private let fullStillSizes: [FrameSize]
  private let isoRange: ClosedRange<Float>?
  private let painter: FramePainter
  private let ring: FrameRing

  init(_ camera: CameraParts, _ configuration: StreamConfiguration) {
    self.camera = camera
    size = configuration.size
    usesP3 = configuration.usesP3
    isoRange = configuration.format.iso
    stillMosaic = configuration.format.stillMosaic
    fullStillSizes = configuration.format.fullStillSizes
    let pixelFormat: OSType
    switch configuration.format.encoding {
    case .pixels(let format):
      pixelFormat = format
      (isMotionJPEG, isMosaic) = (false, false)
    case .motionJPEG:
      pixelFormat = FourCharacterCodes.fullRange420
      (isMotionJPEG, isMosaic) = (true, false)
    case .mosaic:
      pixelFormat = FourCharacterCodes.fullRange420
      (isMotionJPEG, isMosaic) = (false, true)
    case .h264, .hevc: preconditionFailure("A device refuses to open what it cannot make.")
    }
    let key = PainterKey(
      size: size, format: pixelFormat, usesP3: usesP3,
      isPicture: isMotionJPEG || isMosaic || configuration.format.isPhotoQuality)
    painter = FramePainter(key, model: camera.model, world: camera.world)
    ring = FrameRing(
      format: pixelFormat, width: size.width, height: size.height, capacity: configuration.bufferCount,
      attachments: key.attachments)
  }

  /// Lets so many frames more be with clients at once.
  func addBuffers(_ count: Int) { ring.grow(by: count) }

  /// The frame of an exposure, or why it is lost.
  func frame(of exposure: Exposure) -> Result<CapturedFrame, LostFrame> {
    guard let slot = ring.take() else { return .failure(LostFrame(reason: .outOfBuffers)) }
    guard let picture = try? picture(ring.picture(in: slot, late: painting(exposure, slot)), exposure) else {
      return .failure(LostFrame(reason: .discontinuity))
    }
    return .success(captured(picture, exposure, seen: exposure.stabilization))
  }

  /// The task that paints a slot's frame; `nil` when it is painted.
  ///
  /// On the real clock frames are painted ahead: a camera makes its frames while its clients work on those before. A manual
  /// clock waits for clients anyway, so that what none of them reads need not be painted.
  private func painting(_ exposure: Exposure, _ slot: FrameRing.Slot) -> LatePixels? {
    let isStill = camera.world.scene.isStill
    if isStill && slot.isPainted { return nil }
    let seen = isStill ? .still : moment(of: exposure).stabilized(exposure.stabilization)
    let moment = isMosaic ? seen.onSensor : seen
    let painting = LatePixels { [painter] in
      painter.paint(moment, into: slot.pixels)
      slot.isPainted = true
    }
    guard !camera.world.clock.isManual else { return painting }
    painting.make()
    return nil
  }

  /// Whether a picture costs its maker time, and not only its reader.
  var paintsAhead: Bool { isMotionJPEG || isMosaic || !camera.world.clock.isManual }

  /// The picture of an exposure in a size of its own, as the camera that was asked for saw it.
  func still(_ request: StillRequest, of exposure: Exposure) -> Result<CapturedFrame, CaptureDeviceError> {
    let size = request.size
    let exposure = exposed(exposure, by: request.constituent)
    let key = PainterKey(
      size: size, format: FourCharacterCodes.fullRange420, usesP3: usesP3, isPicture: true)
    do {
      var seen = moment(of: exposure)
      let isFull = fullStillSizes.contains(size)
      if isFull { seen.view.photosites = size.width }
      let moment = isMosaic ? seen.onSensor : seen
      let buffer = CVPixelBuffer.late(try key.makeBuffer(), attachments: key.attachments) { [camera] pixels in
        camera.painters.painter(key, isKept: !isFull).paint(moment, into: pixels)
      }
      if paintsAhead { withExtendedLifetime(buffer.planes) {} }
      var frame = captured(try picture(buffer, exposure), exposure)
      if request.wantsMosaic, let stillMosaic { frame.mosaic = try mosaic(stillMosaic.size, exposure) }
      return .success(frame)
    } catch {
      return .failure(
        camera.error(
          .outOfMemory, "has no memory for a picture of \(size) (\(error)); close other programs."
        )
      )
    }
  }

  /// What the sensor counted in an exposure, in a size of its own.
  private func mosaic(_ size: FrameSize, _ exposure: Exposure) throws -> SensorMosaic {
    let key = PainterKey(size: size, format: FourCharacterCodes.fullRange420, usesP3: false, isPicture: true)
    let buffer = try key.makeBuffer()
    camera.painters.painter(key).paint(moment(of: exposure).onSensor, into: buffer)
    return mosaic(of: buffer, exposure)
  }

  /// What the sensor counted of a picture without noise.
  private func mosaic(of buffer: CVPixelBuffer, _ exposure: Exposure) -> SensorMosaic {
    let iso = camera.world.scene.isNoisy ? exposure.conditions.state.exposure.iso ?? 100 : nil
    let chance = Chance(
      camera.world.scene.seed, "mosaic", UInt64(exposure.sequence), whose: camera.model.facts.uniqueID)
    return MosaicSensor(
      camera.model.facts.sensorColors ?? .plain, gains: camera.controls.optics.exactGains, iso: iso
    ).mosaic(of: buffer, chance: chance.bits)
  }

  /// The exposure that one of the cameras under the device made at the same time.
  private func exposed(_ exposure: Exposure, by constituent: String?) -> Exposure {
    guard let constituent else { return exposure }
    var own = exposure
    let state = camera.controls.optics.state(exposure.conditions.state, of: constituent, iso: isoRange)
    own.conditions = FrameConditions(state)
    return own
  }

  /// The moment of an exposure, from which it is painted.
  func moment(of exposure: Exposure) -> FrameMoment {
    var moment = camera.controls.optics.moment(
      exposure.conditions.state, seconds: exposure.seconds, sequence: exposure.sequence)
    moment.isFlash = camera.world.clicks(from: exposure.seconds, length: 1 / exposure.duration.rate)
    return moment
  }

  private func captured(
    _ picture: CapturedFrame.Picture, _ exposure: Exposure,
    seen stabilization: Stabilization = Stabilization(.off)
  ) -> CapturedFrame {
    var frame = CapturedFrame(
      picture: picture, timestamp: exposure.timestamp, sequence: exposure.sequence,
      conditions: exposure.conditions, inFlight: camera.world.clock.makeToken())
    if !camera.model.facts.capabilities.personParts.isEmpty {
      frame.people = SimulatedPeople(camera, moment(of: exposure).stabilized(stabilization))
    }
    return frame
  }

  private func picture(_ buffer: CVPixelBuffer, _ exposure: Exposure) throws -> CapturedFrame.Picture {
    if isMosaic { return .mosaic(mosaic(of: buffer, exposure)) }
    guard isMotionJPEG else { return .pixels(buffer) }
    var bytes = try JPEGEncoder.encode(buffer)
    if camera.faults.corrupts(exposure.sequence, at: exposure.seconds) {
      bytes = camera.faults.damaged(bytes, exposure.sequence)
    }
    return .jpeg(
      bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) },
      FrameSize(width: buffer.width, height: buffer.height))
  }
}

/// An exposure of which no frame comes.
struct LostFrame: Error {
  var reason: DropReason
}
