package import CaptureDevice
internal import CoreVideo

/// The distances that a node measures.
package struct ProbedDepth: Sendable, Hashable {
  package var node: VideoNode
  /// As a camera's ``StreamFormat/depthFormats``.
  package var formats: [DepthStreamFormat]
  /// The metres of one unit of a map.
  package var metresPerUnit: Float
}

extension CameraProbe {
  /// A millimetre: what a unit of Z16 is where nothing says otherwise.
  ///
  /// The kernel leaves the unit to the device, and USB has no standard control for it. Source:
  /// `Documentation/userspace-api/media/v4l/pixfmt-z16.rst`.
  static let usualMetresPerUnit: Float = 0.001

  /// The depth of a node; `nil` unless it is a depth sensor's and one of its formats is Z16.
  ///
  /// Each size, the largest last, can be had as 32-bit and as 16-bit metres: the sensor's whole numbers become either.
  func depth(
    _ node: VideoNode, _ handle: VideoHandle, _ formats: [VideoPixelFormat], _ effects: [DeviceQuirk.Effect]
  ) throws(KernelRefusal) -> ProbedDepth? {
    guard PictureKind(formats) == .depth, formats.contains(.z16) else { return nil }
    let sizes = try sizes(handle, .z16).sorted {
      ($0.width * $0.height, $0.width) < ($1.width * $1.height, $1.width)
    }
    var found: [DepthStreamFormat] = []
    for size in sizes {
      let durations = try durations(handle, .z16, size)
      for format in [kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16] {
        found.append(
          DepthStreamFormat(
            size: FrameSize(width: size.width, height: size.height), pixelFormat: format,
            frameDurations: durations, isAligned: false))
      }
    }
    if found.isEmpty { return nil }
    var unit = Self.usualMetresPerUnit
    for case .depthUnit(let metres) in effects { unit = metres }
    return ProbedDepth(node: node, formats: found, metresPerUnit: unit)
  }
}

extension ProbedCamera {
  /// The same camera with the distances of another node of its device, beside each of its formats.
  ///
  /// A depth sensor of the kernel's has a lens of its own: its maps show about what the pictures show, mostly with
  /// another aspect, and are not laid upon them.
  func measuring(_ depth: ProbedDepth) -> ProbedCamera {
    func withDepth(_ format: StreamFormat) -> StreamFormat {
      var format = format
      format.depthFormats = depth.formats
      return format
    }
    var all = self
    all.depth = depth
    all.facts.media.insert(.depth)
    all.facts.formats = facts.formats.map(withDepth)
    all.pixelFormats = Dictionary(uniqueKeysWithValues: pixelFormats.map { (withDepth($0), $1) })
    all.otherNodes = Dictionary(uniqueKeysWithValues: otherNodes.map { (withDepth($0), $1) })
    return all
  }
}
