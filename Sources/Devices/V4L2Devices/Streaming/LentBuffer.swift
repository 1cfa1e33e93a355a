internal import CaptureDevice
internal import CoreVideo
internal import Linux

/// A buffer of the driver's as pictures see it: its memory, the way back, and the way out of the process.
///
/// Made once for each buffer of a run; every frame in it then costs one small object.
final class LentBuffer: PictureOwner {
  /// The pixel buffer that shows the pictures.
  let shown: PictureMemory

  private let memory: MappedMemory
  private let index: Int
  private weak let ring: BufferRing?
  private let device: DeviceName

  /// Buffer `index` of `ring`, in which `shown` describes the pictures.
  init(
    _ shown: PictureMemory, in memory: MappedMemory, _ index: Int, of ring: BufferRing, _ device: DeviceName
  ) {
    self.shown = shown
    self.memory = memory
    self.index = index
    self.ring = ring
    self.device = device
  }

  /// The picture that the driver has just put into the buffer; the buffer goes back when its last reference goes.
  func picture() -> CVPixelBuffer {
    shown.owner = self
    return CVPixelBuffer(showing: shown)
  }

  func pictureEnded(in memory: PictureMemory) {
    ring?.giveBack(index)
  }

  func exportMemory(_ memory: PictureMemory) throws -> Descriptor? {
    do throws(KernelRefusal) {
      if let ring, let descriptor = try ring.export(index) { return descriptor }
    } catch {
      throw error.error(device, "share the memory of a picture") { [] }
    }
    throw device.error(
      .ioFailure,
      "cannot share the memory of a picture: its stream is closed; share it while the stream is open."
    )
  }
}
