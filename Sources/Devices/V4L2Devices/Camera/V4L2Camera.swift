public import CaptureDevice
internal import Glibc
package import Linux
internal import StreamParts

/// A camera that the kernel offers at `/dev/video…`.
///
/// Thread-safe. Nothing is held open between calls; an open stream holds the device.
public final class V4L2Camera: CaptureDeviceDriver {
  /// The camera's facts, as its driver reported them when it was found.
  public let facts: DeviceFacts
  /// The path of its node: `/dev/video0`.
  public var path: String { probed.node.path }

  let kernel: any VideoKernel
  let history = ControlHistory()
  let memory = Locked(ControlMemory())
  /// Held while controls are written, so that two changes do not mix.
  let writing = Lock()
  let ramp = Locked<ZoomRamp?>(nil)

  private let probed: ProbedCamera
  /// The machine that carries the camera; `nil` for one on a cable.
  public let machine: DeviceAttitude?
  private let timeout: SilenceTimeout

  init(
    _ probed: ProbedCamera, uniqueID: String, kernel: any VideoKernel, machine: DeviceAttitude?,
    timeout: SilenceTimeout
  ) {
    var facts = probed.facts
    facts.uniqueID = uniqueID
    self.facts = facts
    self.probed = probed
    self.kernel = kernel
    self.machine = machine
    self.timeout = timeout
  }

  /// Its controls that have a meaning in the device contract.
  var table: ControlTable { probed.controls }

  /// The processes that have the camera open now, as far as this user may see; reads `/proc`, milliseconds.
  package var holders: [DeviceHolder] { kernel.holders(of: path) }

  var device: DeviceName { DeviceName(facts.name, path) }

  /// The camera at the node that has `format`.
  func device(for format: StreamFormat) -> DeviceName { DeviceName(facts.name, probed.path(of: format)) }

  /// Whether streams may take more buffers while they run; a driver that cannot is found out when the camera is opened.
  public var addsBuffers: Bool { true }

  /// Opens the camera, sets its format and rate, and maps its buffers; where depth is asked for, its depth node as well.
  ///
  /// C: `VIDIOC_S_FMT`, `VIDIOC_S_PARM`, `VIDIOC_REQBUFS`, `mmap`. Blocks as long as they do: a sleeping USB camera
  /// takes some 100 ms.
  public func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream
  {
    let format = configuration.format
    guard let pixelFormat = probed.pixelFormats[format], configuration.size == format.size else {
      throw device.error(
        .formatUnsupported,
        "has no such format at \(configuration.size); choose one of its \(facts.formats.count) formats."
      )
    }
    if let depth = configuration.depth, !format.depthFormats.contains(depth.format) {
      throw device.error(
        .formatUnsupported,
        "measures no such depth at \(depth.format.size); choose one of its format's "
          + "\(format.depthFormats.count) depth formats.")
    }
    var granted = configuration
    granted.usesP3 = false
    let frames: OpenNode
    do throws(KernelRefusal) {
      frames = try openFrames(&granted, pixelFormat)
    } catch {
      throw refused(error, "stream \(format.size) \(pixelFormat)", configuration)
    }
    let depth = try openDepth(&granted)
    return V4L2Stream(camera: self, frames: frames, depth: depth, configuration: granted, timeout: timeout)
  }

  /// Opens the node with the pictures that `configuration` asks for, and notes there what was granted.
  private func openFrames(
    _ configuration: inout StreamConfiguration, _ pixelFormat: VideoPixelFormat
  ) throws(KernelRefusal) -> OpenNode {
    let format = configuration.format
    let device = device(for: format)
    let asked = VideoLayout(size: VideoSize(format.size.width, format.size.height), format: pixelFormat)
    let stabilization = configuration.stabilization
    var later = configuration.laterBufferCount
    let node = try openNode(device, asked, configuration.frameDuration, configuration.bufferCount, &later) {
      (handle) throws(KernelRefusal) in
      try steady(handle, stabilization)
    } wrapping: {
      FrameWrapping($0.settlingRange)
    }
    history.note(readState(node.open.ring.handle))
    configuration.frameDuration = node.frameDuration
    configuration.bufferCount = node.open.ring.limit
    configuration.laterBufferCount = later
    return node.open
  }

  /// Opens the node that measures the depth which `configuration` asks for, and notes there what was granted; `nil` without.
  private func openDepth(
    _ configuration: inout StreamConfiguration
  ) throws(CaptureDeviceError) -> (node: OpenNode, metresPerUnit: Float)? {
    guard let depth = configuration.depth, let probed = probed.depth else { return nil }
    let size = VideoSize(depth.format.size.width, depth.format.size.height)
    let asked = VideoLayout(size: size, format: .z16)
    let device = DeviceName(facts.name, probed.node.path)
    do throws(KernelRefusal) {
      var none = 0
      let node = try openNode(device, asked, depth.frameDuration, depth.bufferCount, &none) { _ in
      } wrapping: {
        FrameWrapping(depth: $0)
      }
      configuration.depth?.frameDuration = node.frameDuration
      configuration.depth?.bufferCount = node.open.ring.limit
      return (node.open, probed.metresPerUnit)
    } catch {
      throw refused(error, device, "measure depth at \(depth.format.size)", configuration)
    }
  }

  /// Opens a node, sets it to a layout and a rate, and maps its buffers; on failure it is closed again.
  private func openNode(
    _ device: DeviceName, _ asked: VideoLayout, _ duration: FrameDuration, _ bufferCount: Int,
    _ later: inout Int, settingUp setUp: (VideoHandle) throws(KernelRefusal) -> Void,
    wrapping: (VideoLayout) -> FrameWrapping?
  ) throws(KernelRefusal) -> (open: OpenNode, frameDuration: FrameDuration) {
    let handle = try kernel.open(device.path)
    let layout: VideoLayout
    let granted: FrameDuration
    do throws(KernelRefusal) {
      layout = try kernel.setLayout(handle, asked, trying: false).settlingStride
      guard layout.size == asked.size, layout.format == asked.format, layout.isWholePicture else {
        throw KernelRefusal(.setLayout, EINVAL)
      }
      granted = try setFrameDuration(handle, duration)
      try setUp(handle)
    } catch {
      kernel.close(handle)
      throw error
    }
    let removal = DeviceRemoval(kernel, ofDeviceAt: device.path)
    let ring = try BufferRing(kernel, handle, count: bufferCount, later: &later, removal: removal)
    guard let wrapping = wrapping(layout) else { throw KernelRefusal(.setLayout, EINVAL) }
    return (OpenNode(device: device, ring: ring, wrapping: wrapping), granted)
  }

  /// The kernel's refusal in words: which process holds the camera, which users may use it, what would fit instead of `configuration`.
  func refused(
    _ refusal: KernelRefusal, _ doing: String, _ configuration: StreamConfiguration? = nil
  ) -> CaptureDeviceError {
    refused(refusal, configuration.map { self.device(for: $0.format) } ?? device, doing, configuration)
  }

  /// The node that measures depth; `nil` where none does.
  var depthNode: DeviceName? { probed.depth.map { DeviceName(facts.name, $0.node.path) } }

  /// The same of any of its nodes.
  func refused(
    _ refusal: KernelRefusal, _ device: DeviceName, _ doing: String,
    _ configuration: StreamConfiguration? = nil
  ) -> CaptureDeviceError {
    refusal.error(
      device, doing, access: { kernel.access(to: device.path) },
      fitting: { configuration.flatMap { lessDemanding(than: $0) } },
      holders: { kernel.holders(of: device.path) })
  }

  /// The kernel's format behind one of the camera's.
  func pixelFormat(of format: StreamFormat) -> VideoPixelFormat? { probed.pixelFormats[format] }

  /// The USB port that it is plugged into; `nil` for a camera of another bus.
  package var usb: USBPlacement? { probed.sight.placement.usb }

  /// Steadies the pictures or not, where the camera can.
  ///
  /// C: `V4L2_CID_IMAGE_STABILIZATION`.
  func steady(_ handle: VideoHandle, _ mode: StabilizationMode) throws(KernelRefusal) {
    guard table.canSet(.imageStabilization) else { return }
    try kernel.setValue(handle, of: .imageStabilization, .boolean, to: mode == .off ? 0 : 1)
  }

  /// The configuration that the driver grants; drivers without a rate of their own keep theirs.
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

  /// The current state of the camera's controls, read from the camera.
  ///
  /// A default when it cannot be asked. Milliseconds for USB cameras.
  public var controlState: ControlState {
    guard let handle = try? kernel.open(path) else { return ControlState() }
    defer { kernel.close(handle) }
    return readState(handle)
  }

  /// The state of the controls, read through an open handle.
  func readState(_ handle: VideoHandle) -> ControlState {
    var state = table.state(kernel, handle, memory.withLock { $0 })
    state.change = history.number
    if ramp.withLock({ $0 }) != nil { state.isRampingZoom = true }
    return state
  }
}
