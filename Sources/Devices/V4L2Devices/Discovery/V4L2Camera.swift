public import CaptureDevice
internal import Glibc
package import Linux

/// A camera that the kernel offers at `/dev/video…`.
///
/// Thread-safe. Nothing is held open between calls; an open stream holds the device.
public final class V4L2Camera: CaptureDeviceDriver {
  /// What the camera is and can do, as its driver said when it was found.
  public let facts: DeviceFacts
  /// Where it is: `/dev/video0`.
  public var path: String { probed.node.path }

  let kernel: any VideoKernel
  let history = ControlHistory()
  let memory = Locked(ControlMemory())
  /// Held while controls are written, so that two changes do not mix.
  let writing = Lock()
  let ramp = Locked<ZoomRamp?>(nil)

  private let probed: ProbedCamera
  /// The machine that carries the camera; `nil` for one on a cable.
  public let machine: HeldMachine?
  private let patience: SilencePatience

  init(
    _ probed: ProbedCamera, uniqueID: String, kernel: any VideoKernel, machine: HeldMachine?,
    patience: SilencePatience
  ) {
    var facts = probed.facts
    facts.uniqueID = uniqueID
    self.facts = facts
    self.probed = probed
    self.kernel = kernel
    self.machine = machine
    self.patience = patience
  }

  /// Its controls that have a meaning in the device contract.
  var table: ControlTable { probed.controls }

  /// Who has the camera open now, as far as this user may see it; reads `/proc`, milliseconds.
  package var holders: [DeviceHolder] { kernel.holders(of: path) }

  var device: DeviceName { DeviceName(facts.name, path) }

  /// The camera at the node that has `format`.
  func device(for format: StreamFormat) -> DeviceName { DeviceName(facts.name, probed.path(of: format)) }

  /// Opens the camera, sets its format and rate, and maps its buffers.
  ///
  /// C: `VIDIOC_S_FMT`, `VIDIOC_S_PARM`, `VIDIOC_REQBUFS`, `mmap`. Blocks as long as they do: a sleeping USB camera
  /// takes some 100 ms.
  public func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream
  {
    let format = configuration.format
    guard let pixelFormat = probed.pixelFormats[format], configuration.size == format.size else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) (\(path)) has no such format at \(configuration.size); choose one of its \(facts.formats.count) formats."
      )
    }
    do throws(KernelRefusal) {
      let handle = try kernel.open(probed.path(of: format))
      let layout: VideoLayout
      let duration: FrameDuration
      do throws(KernelRefusal) {
        let asked = VideoLayout(size: VideoSize(format.size.width, format.size.height), format: pixelFormat)
        layout = try kernel.setLayout(handle, asked, trying: false)
        guard layout.size == asked.size, layout.format == asked.format, layout.isWholePicture else {
          throw KernelRefusal(.setLayout, EINVAL)
        }
        duration = try setFrameDuration(handle, configuration.frameDuration)
        try steady(handle, configuration.stabilization)
      } catch {
        kernel.close(handle)
        throw error
      }
      let removal = DeviceRemoval(kernel, ofDeviceAt: probed.path(of: format))
      let ring = try BufferRing(kernel, handle, count: configuration.bufferCount, removal: removal)
      guard let wrapping = FrameWrapping(layout.settlingRange) else {
        throw KernelRefusal(.setLayout, EINVAL)
      }
      history.note(readState(handle))
      var granted = configuration
      granted.frameDuration = duration
      granted.usesP3 = false
      granted.bufferCount = ring.limit
      return V4L2Stream(
        camera: self, ring: ring, wrapping: wrapping, configuration: granted,
        patience: patience)
    } catch {
      throw refused(error, "stream \(format.size) \(pixelFormat)", configuration)
    }
  }

  /// The kernel's refusal in words: who holds the camera, who may use it, what would fit instead of `configuration`.
  func refused(
    _ refusal: KernelRefusal, _ doing: String, _ configuration: StreamConfiguration? = nil
  ) -> CaptureDeviceError {
    let device = configuration.map { self.device(for: $0.format) } ?? device
    return refusal.error(
      device, doing, access: { kernel.access(to: device.path) },
      fitting: { configuration.flatMap { lessDemanding(than: $0) } },
      holders: { kernel.holders(of: device.path) })
  }

  /// The kernel's format behind one of the camera's.
  func pixelFormat(of format: StreamFormat) -> VideoPixelFormat? { probed.pixelFormats[format] }

  /// Where it is plugged in; `nil` for a camera of another bus.
  package var usb: USBPlacement? { probed.sight.placement.usb }

  /// Steadies the pictures or not, where the camera can.
  ///
  /// C: `V4L2_CID_IMAGE_STABILIZATION`.
  private func steady(_ handle: VideoHandle, _ mode: StabilizationMode) throws(KernelRefusal) {
    guard table.canSet(.imageStabilization) else { return }
    try kernel.setValue(handle, of: .imageStabilization, .boolean, to: mode == .off ? 0 : 1)
  }

  /// What the driver grants; drivers without a rate of their own go on as they do.
  private func setFrameDuration(
    _ handle: VideoHandle, _ duration: FrameDuration
  ) throws(KernelRefusal) -> FrameDuration {
    do throws(KernelRefusal) {
      let asked = VideoFraction(UInt32(duration.numerator), UInt32(duration.denominator))
      return FrameDuration(try kernel.setFrameDuration(handle, asked)) ?? duration
    } catch  where [EINVAL, ENOTTY, EOPNOTSUPP].contains(error.errno) {
      return (try? kernel.frameDuration(handle)).flatMap { FrameDuration($0) } ?? duration
    }
  }

  // MARK: Controls

  /// What the camera's controls stand at now, asked of the camera.
  ///
  /// A default when it cannot be asked. Milliseconds for USB cameras.
  public var controlState: ControlState {
    guard let handle = try? kernel.open(path) else { return ControlState() }
    defer { kernel.close(handle) }
    return readState(handle)
  }

  /// What the controls stand at, asked through an open handle.
  func readState(_ handle: VideoHandle) -> ControlState {
    var state = table.state(kernel, handle, memory.withLock { $0 })
    state.change = history.number
    if ramp.withLock({ $0 }) != nil { state.isRampingZoom = true }
    return state
  }
}
