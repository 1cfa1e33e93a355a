package import CaptureDevice
internal import Foundation
internal import Linux

/// A video node that is not offered as a camera, or a format of it, and why: for diagnosis.
package struct OmittedNode: Sendable, Hashable {
  package var path: String
  /// One sentence.
  package var reason: String
  /// Set when the kernel refused; what `errno` stands for.
  package var code: CaptureDeviceError.Code?
  /// Whether another probe of the same node may find a camera.
  package var mayChange: Bool
  /// The kind of its pictures, of a node that captures some.
  package var sight: NodeSight?
  /// The distances that it measures.
  package var depth: ProbedDepth?

  /// A node and why it is not offered.
  package init(
    path: String, reason: String, code: CaptureDeviceError.Code? = nil, mayChange: Bool = false,
    sight: NodeSight? = nil, depth: ProbedDepth? = nil
  ) {
    self.path = path
    self.reason = reason
    self.code = code
    self.mayChange = mayChange
    self.sight = sight
    self.depth = depth
  }
}

/// The result of probing one node.
package enum ProbedNode: Sendable {
  case camera(ProbedCamera)
  case omitted(OmittedNode)
}

/// A camera as its driver describes it.
package struct ProbedCamera: Sendable {
  package var node: VideoNode
  /// The kernel's driver.
  package var driver: String
  package var facts: DeviceFacts
  /// Its controls that have a meaning in the device contract.
  package var controls: ControlTable
  /// The kernel's format behind each format of the facts.
  package var pixelFormats: [StreamFormat: VideoPixelFormat]
  /// Other nodes of the same sensor that have some of the formats; see ``adding(_:)``.
  package var otherNodes: [StreamFormat: VideoNode] = [:]
  /// The kind of its node's pictures, and its place among other nodes.
  package var sight: NodeSight
  /// The distances that its node, or after ``measuring(_:)`` another one of the device, measures.
  package var depth: ProbedDepth?
}

/// Asks nodes what they are and what they can do.
package struct CameraProbe: Sendable {
  /// Sizes to offer of a driver that takes any, as common as they are; the driver's largest is offered too.
  static let commonSizes = [
    (320, 180), (320, 240), (640, 360), (640, 480), (800, 600), (1024, 768), (1280, 720), (1280, 960),
    (1920, 1080), (2560, 1440), (2592, 1944), (3840, 2160), (4032, 3024),
  ].map { VideoSize($0.0, $0.1) }
  /// More entries than any driver lists: an end for drivers that never say one.
  static let longestList = 512

  let kernel: any VideoKernel

  /// Looks at a node: opens it, asks, closes it.
  ///
  /// Milliseconds; a sleeping USB camera wakes up for it.
  package func inspect(_ node: VideoNode) -> ProbedNode {
    do throws(KernelRefusal) {
      let handle = try kernel.open(node.path)
      defer { kernel.close(handle) }
      return try inspect(node, handle)
    } catch {
      let failure = error.error(
        DeviceName("The node", node.path), "be examined", access: { kernel.access(to: node.path) },
        holders: { kernel.holders(of: node.path) })
      return .omitted(
        OmittedNode(path: node.path, reason: failure.message, code: failure.code, mayChange: true))
    }
  }

  private func inspect(_ node: VideoNode, _ handle: VideoHandle) throws(KernelRefusal) -> ProbedNode {
    let identity = try kernel.identity(handle)
    func omit(
      _ reason: String, mayChange: Bool = false, sight: NodeSight? = nil, depth: ProbedDepth? = nil
    ) -> ProbedNode {
      .omitted(
        OmittedNode(
          path: node.path, reason: "\(node.path) (\(identity.card)) \(reason).", mayChange: mayChange,
          sight: sight, depth: depth))
    }
    let placement = kernel.placement(of: node)
    var subject = QuirkSubject(
      driver: identity.driver, name: identity.card, usb: placement.usb, machine: kernel.machineModel())
    let firstEffects = DeviceQuirk.effects(on: subject)
    for case .hidden(let reason) in firstEffects { return omit(reason) }
    if !identity.captures {
      for case .explained(let reason) in firstEffects { return omit(reason) }
      return identity.capturesInPlanes
        ? omit("sends its pictures in several planes, which is not read here; libcamera may read it")
        : omit("is no camera: it plays, converts, or carries metadata")
    }
    if !identity.streams { return omit("cannot stream through mapped memory") }
    if identity.needsMediaGraph {
      return omit("is the raw end of a camera whose pipeline another program must set up, such as libcamera")
    }
    let graph = kernel.mediaGraph(of: node)
    if graph?.isFedByPrograms == true {
      return omit("converts pictures that programs feed it, and sees nothing by itself")
    }
    let controls = try ControlTable(kernel, handle, firstEffects)
    var offers: [Offer] = []
    var unknown: [VideoPixelFormat] = []
    var formats: [VideoPixelFormat] = []
    for index in 0..<Self.longestList {
      guard let format = try kernel.pixelFormat(handle, at: index) else { break }
      formats.append(format)
      if format.isKnown {
        for offer in try self.offers(handle, format, controls) {
          // Two of the kernel's formats may be one of Core Video's.
          guard let same = offers.firstIndex(where: { $0.format == offer.format }) else {
            offers.append(offer)
            continue
          }
          if offers[same].pixelFormat.preference < offer.pixelFormat.preference { offers[same] = offer }
        }
      } else {
        unknown.append(format)
      }
    }
    if PictureKind(formats) == .raw, placement.usb == nil {
      // A sensor on the machine's own bus: exposure and colours are another program's to control.
      unknown = formats
      offers = []
    }
    let pictures = offers.filter { !$0.format.encoding.isCoded }
    subject.sizes = Set(
      (pictures.isEmpty ? offers : pictures).map { VideoSize($0.format.size.width, $0.format.size.height) })
    let effects = DeviceQuirk.effects(on: subject)
    let depth = try self.depth(node, handle, formats, effects)
    let sight = NodeSight(
      path: node.path, name: identity.card, bus: identity.bus, placement: placement, graph: graph,
      content: PictureKind(formats), measuresDepth: depth != nil, effects)
    if offers.isEmpty {
      return omit(
        emptyReason(unknown, sight.content), mayChange: formats.isEmpty, sight: sight, depth: depth)
    }
    // No photo is made of H.264.
    let largest = pictures.map(\.pixels).max()
    for index in offers.indices where !offers[index].format.encoding.isCoded {
      offers[index].format.isPhotoQuality = offers[index].pixels == largest
    }
    offers.sort { $0.order < $1.order }
    var facts = self.facts(node, identity, placement, offers.map(\.format), controls, effects)
    facts.unreadableFormats = unknown.map(\.description)
    return .camera(
      ProbedCamera(
        node: node,
        driver: identity.driver,
        facts: facts,
        controls: controls,
        pixelFormats: Dictionary(uniqueKeysWithValues: offers.map { ($0.format, $0.pixelFormat) }),
        sight: sight, depth: depth))
  }

  /// The reason why a node without a format that is read here is no camera.
  private func emptyReason(_ unknown: [VideoPixelFormat], _ content: PictureKind) -> String {
    if unknown.isEmpty { return "offers no pictures now" }
    let names = unknown.map { String(describing: $0) }.joined(separator: ", ")
    return content == .raw
      ? "sends what its bare sensor sees (\(names)); libcamera must make pictures of it"
      : "offers only formats that nothing here reads: \(names)"
  }

  // MARK: Formats

  /// A format to offer, and the kernel's behind it.
  private struct Offer {
    var format: StreamFormat
    var pixelFormat: VideoPixelFormat

    var pixels: Int { format.size.width * format.size.height }

    /// Smallest first; of one size the slowest first; then by ``VideoPixelFormat/preference``.
    var order: (Int, Int, Double, Int) {
      (pixels, format.size.width, format.frameDurations.first?.lowerBound.rate ?? 0, pixelFormat.preference)
    }
  }

  private func offers(
    _ handle: VideoHandle, _ format: VideoPixelFormat, _ controls: ControlTable
  ) throws(KernelRefusal) -> [Offer] {
    var found: [Offer] = []
    for size in try sizes(handle, format) {
      // What a picture's range is, only the driver knows.
      var layout = VideoLayout(size: size, format: format)
      if format.hasNamedRange, let tried = try? kernel.setLayout(handle, layout, trying: true) {
        layout = tried
      }
      guard let encoding = layout.encoding else { continue }
      var streamFormat = StreamFormat(
        size: FrameSize(width: size.width, height: size.height), encoding: encoding,
        frameDurations: try durations(handle, format, size),
        exposureNanoseconds: controls.exposureNanoseconds,
        iso: controls.iso)
      // The kernel lets cameras stream side by side; a bus without room says so when the second one starts.
      streamFormat.supportsMultiCam = true
      streamFormat.maxZoom = controls.maxZoom
      streamFormat.supportsHDR = controls.canSet(.wideDynamicRange)
      if controls.canSet(.imageStabilization) { streamFormat.stabilizationModes = [.standard] }
      found.append(Offer(format: streamFormat, pixelFormat: format))
    }
    return found
  }

  func sizes(
    _ handle: VideoHandle, _ format: VideoPixelFormat
  ) throws(KernelRefusal) -> [VideoSize] {
    var found: Set<VideoSize> = []
    for index in 0..<Self.longestList {
      guard let range = try kernel.frameSizes(handle, format, at: index) else { break }
      switch range {
      case .one(let size):
        found.insert(size)
      case .steps(let least, let most, let step):
        let fitting = Self.commonSizes.filter { size in
          size.width >= least.width && size.height >= least.height
            && size.width <= most.width && size.height <= most.height
            && (size.width - least.width) % step.width == 0 && (size.height - least.height) % step.height == 0
        }
        found.formUnion(fitting)
        found.insert(most)
      }
    }
    if found.isEmpty {
      // A driver without lists says what it is set to when asked for something else.
      let layout = VideoLayout(size: VideoSize(640, 480), format: format)
      if let tried = try? kernel.setLayout(handle, layout, trying: true), tried.format == format {
        found.insert(tried.size)
      }
    }
    return found.filter { $0.width > 0 && $0.height > 0 }
  }

  func durations(
    _ handle: VideoHandle, _ format: VideoPixelFormat, _ size: VideoSize
  ) throws(KernelRefusal) -> [ClosedRange<FrameDuration>] {
    var found: Set<ClosedRange<FrameDuration>> = []
    for index in 0..<Self.longestList {
      guard let range = try kernel.frameDurations(handle, format, size, at: index) else { break }
      switch range {
      case .one(let fraction):
        if let duration = FrameDuration(fraction) { found.insert(duration...duration) }
      case .steps(let least, let most, _):
        if let least = FrameDuration(least), let most = FrameDuration(most), least <= most {
          found.insert(least...most)
        }
      }
    }
    if found.isEmpty {
      // Without a list: what is set now, or the rate that a camera without rates most likely has.
      let now = (try? kernel.frameDuration(handle)).flatMap { FrameDuration($0) } ?? FrameDuration(1, 30)
      found.insert(now...now)
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }
  }

  // MARK: Facts

  private func facts(
    _ node: VideoNode, _ identity: VideoIdentity, _ placement: DevicePlacement, _ formats: [StreamFormat],
    _ controls: ControlTable, _ effects: [DeviceQuirk.Effect]
  ) -> DeviceFacts {
    // The kernel cuts names after 31 bytes; the device's own product name is whole.
    let isCut = identity.card.utf8.count >= 31
    let product = placement.usb?.productName ?? ""
    let position = CameraPlace.position(
      effects, orientation: controls.orientation, placement, names: [identity.card, product])
    let isBuiltIn = position != .unspecified || placement.usb?.isFixed == true
    return DeviceFacts(
      uniqueID: uniqueID(identity, placement, effects), modelID: modelID(identity, placement),
      name: isCut && !product.isEmpty
        ? product : identity.card.isEmpty ? node.name : Self.saidOnce(identity.card),
      manufacturer: placement.usb.map(\.manufacturer).flatMap { $0.isEmpty ? nil : $0 } ?? identity.driver,
      kind: isBuiltIn ? .wideAngleCamera : .externalCamera, position: position, media: [.video],
      formats: formats, capabilities: controls.capabilities,
      sensorRotation: sensorRotation(controls, effects), usualSensorRotation: 0)
  }

  /// The driver of webcams joins the names of a camera and of its function, which most often are one name.
  private static func saidOnce(_ card: String) -> String {
    guard let colon = card.firstRange(of: ": ") else { return card }
    let (first, second) = (card[..<colon.lowerBound], card[colon.upperBound...])
    return !second.isEmpty && first.hasPrefix(second) ? String(first) : card
  }

  /// Clockwise; the kernel counts the other way around.
  ///
  /// C: `V4L2_CID_CAMERA_SENSOR_ROTATION`.
  private func sensorRotation(_ controls: ControlTable, _ effects: [DeviceQuirk.Effect]) -> Int {
    for case .turned(let degrees) in effects { return degrees }
    guard let rotation = controls.rotation, rotation % 90 == 0 else { return 0 }
    return Int((360 - rotation % 360) % 360)
  }

  /// The same after replugging and rebooting: the USB serial number, else the socket; the place on the bus of others.
  private func uniqueID(
    _ identity: VideoIdentity, _ placement: DevicePlacement, _ effects: [DeviceQuirk.Effect]
  ) -> String {
    var parts: [String]
    if let usb = placement.usb {
      let model = String(format: "%04x:%04x", Int(usb.vendor), Int(usb.product))
      let isNumbered = !usb.serial.isEmpty && !effects.contains(.ignoresSerial)
      parts = ["usb-\(model)", isNumbered ? usb.serial : "port-\(usb.socket)"]
      if usb.interface != 0 { parts.append("function-\(usb.interface)") }
    } else {
      parts = [identity.bus.isEmpty ? identity.driver : identity.bus]
    }
    if placement.nodeIndex != 0 { parts.append("node-\(placement.nodeIndex)") }
    return parts.joined(separator: "-")
  }

  /// As Apple's systems name USB cameras; else the card, after the driver where that says more.
  private func modelID(_ identity: VideoIdentity, _ placement: DevicePlacement) -> String {
    if let usb = placement.usb { return "UVC Camera VendorID_\(usb.vendor) ProductID_\(usb.product)" }
    return identity.card == identity.driver ? identity.card : "\(identity.driver) \(identity.card)"
  }
}

extension FrameDuration {
  /// A kernel's fraction in lowest terms; `nil` for none at all and for what is longer than hours.
  package init?(_ fraction: VideoFraction) {
    func divisor(_ left: UInt32, _ right: UInt32) -> UInt32 {
      right == 0 ? left : divisor(right, left % right)
    }
    let common = divisor(fraction.numerator, fraction.denominator)
    guard fraction.numerator > 0, fraction.denominator > 0,
      let numerator = Int32(exactly: fraction.numerator / common),
      let denominator = Int32(exactly: fraction.denominator / common)
    else { return nil }
    self.init(numerator, denominator)
  }
}
