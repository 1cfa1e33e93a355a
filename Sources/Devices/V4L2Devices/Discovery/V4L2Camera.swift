public import CaptureDevice
internal import Glibc
internal import Linux

/// A camera that the kernel offers at `/dev/video…`.
///
/// Thread-safe. Nothing is held open between calls; an open stream holds the device.
public final class V4L2Camera: CaptureDeviceDriver {
  /// What the camera is and can do, as its driver said when it was found.
  public let facts: DeviceFacts
  /// Where it is: `/dev/video0`.
  public var path: String { probed.node.path }
  /// Four-character codes of the formats that the driver has and that are not offered, because nothing here reads them.
  public var omittedFormats: [String] { probed.unknownFormats.map(\.description) }

  private let kernel: any VideoKernel
  private let probed: ProbedCamera

  private let silence: Int64
  private let history = ControlHistory()

  init(_ probed: ProbedCamera, uniqueID: String, kernel: any VideoKernel, silence: Int64) {
    var facts = probed.facts
    facts.uniqueID = uniqueID
    self.facts = facts
    self.probed = probed
    self.kernel = kernel
    self.silence = silence
  }

  /// Who has the camera open now, as far as this user may see it; reads `/proc`, milliseconds.
  package var holders: [DeviceHolder] { kernel.holders(of: path) }

  private var device: DeviceName { DeviceName(facts.name, path) }

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
      let handle = try kernel.open(path)
      let layout: VideoLayout
      let duration: FrameDuration
      do throws(KernelRefusal) {
        let asked = VideoLayout(size: VideoSize(format.size.width, format.size.height), format: pixelFormat)
        layout = try kernel.setLayout(handle, asked, trying: false)
        guard layout.size == asked.size, layout.format == asked.format, layout.isWholePicture else {
          throw KernelRefusal(.setLayout, EINVAL)
        }
        duration = try setFrameDuration(handle, configuration.frameDuration)
      } catch {
        kernel.close(handle)
        throw error
      }
      let ring = try BufferRing(kernel, handle, count: configuration.bufferCount)
      guard let wrapping = FrameWrapping(layout) else { throw KernelRefusal(.setLayout, EINVAL) }
      var granted = configuration
      granted.frameDuration = duration
      granted.usesP3 = false
      return V4L2Stream(
        ring: ring, device: device, wrapping: wrapping, configuration: granted,
        silence: silence + 3 * granted.frameDuration.nanoseconds,
        history: history, exposure: { [self] in (try? controls(handle))?.exposure ?? FrameExposure() })
    } catch {
      throw error.error(device, "stream \(format.size) \(pixelFormat)") { kernel.holders(of: path) }
    }
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

  /// What the camera's controls report now; a default when it cannot be asked.
  ///
  /// Milliseconds for USB cameras.
  public var controlState: ControlState {
    guard let handle = try? kernel.open(path) else { return ControlState() }
    defer { kernel.close(handle) }
    return (try? controls(handle)) ?? ControlState()
  }

  private func controls(_ handle: VideoHandle) throws(KernelRefusal) -> ControlState {
    var state = ControlState()
    state.change = history.number
    if facts.capabilities.exposureModes.contains(.locked),
      try kernel.value(handle, of: .exposureAuto) == VideoExposureMenu.manual.rawValue
    {
      state.exposureMode = .locked
    }
    if facts.formats.first?.exposureNanoseconds != nil {
      let units = try kernel.value(handle, of: .exposureAbsolute)
      if units > 0 { state.exposure.durationNanoseconds = Int64(units) * ExposureFacts.unitNanoseconds }
    }
    if facts.formats.first?.iso != nil {
      let entry = try kernel.value(handle, of: .isoSensitivity)
      if let value = try kernel.menuValue(handle, .isoSensitivity, at: entry), value > 0 {
        state.exposure.iso = Float(value) / 1000
      }
    }
    return state
  }

  /// Chooses who sets the exposure; other controls are refused.
  ///
  /// C: `V4L2_CID_EXPOSURE_AUTO`.
  public func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    var modes: [ExposureMode] = []
    for control in controls {
      guard case .exposureMode(let mode) = control, facts.capabilities.exposureModes.contains(mode) else {
        throw CaptureDeviceError(
          .controlUnsupported,
          "\(facts.name) (\(path)) cannot change its \(control.name) so; see what `obscura devices` lists.")
      }
      modes.append(mode)
    }
    do throws(KernelRefusal) {
      let handle = try kernel.open(path)
      defer { kernel.close(handle) }
      let facts = try ExposureFacts(kernel, handle)
      for mode in modes {
        guard let entry = facts.entries[mode] else { continue }
        try kernel.setValue(handle, of: .exposureAuto, to: entry.rawValue)
      }
      return history.add(try self.controls(handle))
    } catch {
      throw error.error(device, "change its exposure") { kernel.holders(of: path) }
    }
  }
}
