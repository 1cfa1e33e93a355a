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
  private let stabilization: Stabilization
  private let painter: FramePainter
  private let ring: FrameRing

  init(_ camera: CameraParts, _ configuration: StreamConfiguration) {
    self.camera = camera
    size = configuration.size
    usesP3 = configuration.usesP3
    stabilization = Stabilization(configuration.stabilization)
    let pixelFormat: OSType
    switch configuration.format.encoding {
    case .pixels(let format):
      pixelFormat = format
      isMotionJPEG = false
    case .motionJPEG:
      pixelFormat = FourCharacterCodes.fullRange420
      isMotionJPEG = true
    case .h264: preconditionFailure("A device refuses to open what it cannot make.")
    }
    let key = PainterKey(
      size: size, format: pixelFormat, usesP3: usesP3,
      isPicture: isMotionJPEG || configuration.format.isPhotoQuality)
    painter = FramePainter(key, model: camera.model, world: camera.world)
    ring = FrameRing(
      format: pixelFormat, width: size.width, height: size.height, capacity: configuration.bufferCount,
      attachments: key.attachments)
  }

  /// The frame of an exposure, or why it is lost.
  func frame(of exposure: Exposure) -> Result<CapturedFrame, LostFrame> {
    guard let (buffer, slot) = ring.take() else { return .failure(LostFrame(reason: .outOfBuffers)) }
    if !camera.world.scene.isStill {
      painter.paint(moment(of: exposure).stabilized(stabilization), into: buffer)
    } else if !slot.isPainted {
      painter.paint(.still, into: buffer)
      slot.isPainted = true
    }
    guard let picture = try? picture(buffer, exposure) else {
      return .failure(LostFrame(reason: .discontinuity))
    }
    return .success(captured(picture, exposure))
  }

  /// The picture of an exposure in a size of its own.
  func still(_ size: FrameSize, of exposure: Exposure) -> Result<CapturedFrame, CaptureDeviceError> {
    let key = PainterKey(
      size: size, format: FourCharacterCodes.fullRange420, usesP3: usesP3, isPicture: true)
    do {
      let buffer = try key.makeBuffer()
      camera.painters.painter(key).paint(moment(of: exposure), into: buffer)
      return .success(captured(try picture(buffer, exposure), exposure))
    } catch {
      return .failure(
        camera.error(
          .outOfMemory, "has no memory for a picture of \(size) (\(error)); close other programs."
        )
      )
    }
  }

  /// How an exposure is painted.
  func moment(of exposure: Exposure) -> FrameMoment {
    var moment = camera.controls.optics.moment(
      exposure.conditions.state, seconds: exposure.seconds, sequence: exposure.sequence)
    moment.isFlash = camera.world.clicks(from: exposure.seconds, length: 1 / exposure.duration.rate)
    return moment
  }

  private func captured(_ picture: CapturedFrame.Picture, _ exposure: Exposure) -> CapturedFrame {
    CapturedFrame(
      picture: picture, timestamp: exposure.timestamp, sequence: exposure.sequence,
      conditions: exposure.conditions, inFlight: camera.world.clock.makeToken())
  }

  private func picture(_ buffer: CVPixelBuffer, _ exposure: Exposure) throws -> CapturedFrame.Picture {
    guard isMotionJPEG else { return .pixels(buffer) }
    var bytes = try JPEGEncoder.encode(buffer)
    if camera.faults.corrupts(exposure.sequence, at: exposure.seconds) {
      bytes = camera.faults.damaged(bytes, exposure.sequence)
    }
    return .jpeg(bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, size)
  }
}

/// An exposure of which no frame comes.
struct LostFrame: Error {
  var reason: DropReason
}
