public import CaptureDevice
internal import Linux
package import StreamParts

/// The cameras that the Linux kernel offers: webcams and whatever else has a driver of Video4Linux.
///
/// Thread-safe. Only nodes that capture pictures through mapped memory are devices; ``omittedNodes`` names the others.
public final class V4L2DeviceProvider: CaptureDeviceProvider {
  /// `v4l2`.
  public let name = "v4l2"
  /// Pictures, and the distances of depth cameras.
  public let media: Set<MediaKind> = [.video, .depth]

  private struct Known {
    /// The last pass's result for each path, and the node's identity then.
    var nodes: [String: (identity: UInt64, found: ProbedNode)] = [:]
    /// The reasons why nodes that are part of another camera, or serve no person, are no devices; see ``CameraFolding``.
    var folded: [String: String] = [:]
    /// The other nodes of a camera's sensor, by its node's path.
    var secondStreams: [String: [String]] = [:]
    /// The node that measures depth for a camera, by its node's path.
    var depthNodes: [String: String] = [:]
    var cameras: [V4L2Camera] = []

    /// The nodes that are part of the camera at `path`.
    func otherNodes(of path: String) -> Set<String> {
      Set(secondStreams[path] ?? []).union(depthNodes[path].map { [$0] } ?? [])
    }
  }

  /// A provider that is asked beside this one, which it may note in turn.
  private struct Neighbour {
    weak var provider: (any CaptureDeviceProvider)?
  }

  private let kernel: any VideoKernel
  private let machine: DeviceAttitude
  /// The timeout of cameras' silence; `nil` for the one that fits each.
  private let timeout: SilenceTimeout?
  /// Held during a pass, so that two threads do not wake the same cameras; nothing is called back under it.
  private let known = Locked(Known())
  private let company = Locked<[Neighbour]>([])
  private let watch = DeviceListWatch<V4L2Camera>()

  /// The cameras of this machine; nothing is opened before they are asked for.
  public convenience init() {
    self.init(kernel: LinuxVideoKernel(), machine: .this)
  }

  /// The cameras of a kernel; `timeout` is how long any of them may be silent, instead of what fits each.
  package init(
    kernel: any VideoKernel, machine: DeviceAttitude = DeviceAttitude(), timeout: SilenceTimeout? = nil
  ) {
    self.kernel = kernel
    self.machine = machine
    self.timeout = timeout
  }

  // MARK: Devices

  /// The cameras there are now, by node number; a node is opened once, when it is new.
  public func devices() -> [any CaptureDeviceDriver] {
    cameras()
  }

  /// The video nodes that are no cameras, or cannot be asked; one sentence each.
  public var omittedNodes: [String] {
    omitted().map(\.reason)
  }

  package func omitted() -> [OmittedNode] {
    let taken = nodesListedElsewhere()
    return known.withLock { known in
      refresh(&known, without: taken)
      return known.nodes.sorted { $0.key < $1.key }.compactMap { entry in
        let reason = known.folded[entry.key]
        if case .omitted(var node) = entry.value.found {
          node.reason = reason ?? node.reason
          return node
        }
        return reason.map { OmittedNode(path: entry.key, reason: $0) }
      }
    }
  }

  package func cameras() -> [V4L2Camera] {
    let taken = nodesListedElsewhere()
    return known.withLock { known in
      refresh(&known, without: taken)
      return known.cameras
    }
  }

  /// Notes the providers that are asked beside this one: the nodes that one of them lists are no cameras here.
  public func noteCompany(_ others: [any CaptureDeviceProvider]) {
    company.withLock { $0 = others.map { Neighbour(provider: $0) } }
  }

  /// Others are asked outside of the lock: they may ask back.
  private func nodesListedElsewhere() -> [String: String] {
    let others = company.withLock { $0 }.compactMap(\.provider)
    guard !others.isEmpty else { return [:] }
    var taken: [String: String] = [:]
    for node in (try? kernel.nodes()) ?? [] {
      if let other = others.first(where: { $0.lists(node: node.path) }) { taken[node.path] = other.name }
    }
    return taken
  }

  /// Whether the node at `path` is a camera, or a part of one.
  public func lists(node path: String) -> Bool {
    let taken = nodesListedElsewhere()
    return known.withLock { known in
      refresh(&known, without: taken)
      return known.folded[path] != nil || known.cameras.contains { $0.path == path }
    }
  }

  /// - Parameter taken: The nodes that others list, each with that one's name.
  private func refresh(_ known: inout Known, without taken: [String: String]) {
    // No folder of devices, no devices.
    let nodes = (try? kernel.nodes()) ?? []
    let probe = CameraProbe(kernel: kernel)
    var fresh = Known()
    for node in nodes {
      let before = known.nodes[node.path]
      if let before, before.identity == node.identity, !before.found.mayChange {
        fresh.nodes[node.path] = before
      } else {
        fresh.nodes[node.path] = (node.identity, probe.inspect(node))
      }
    }
    let folding = CameraFolding(nodes.compactMap { fresh.nodes[$0.path]?.found.sight })
    fresh.folded = folding.omitted()
    for (path, other) in taken {
      fresh.folded[path] =
        "\(path) is a part of a camera that \(other) lists, which has the controls that its bare sensor lacks; '--devices v4l2' has the sensor."
    }
    fresh.secondStreams = folding.secondStreams()
    fresh.depthNodes = folding.depthNodes()
    fresh.cameras = cameras(nodes, fresh, known)
    known = fresh
  }

  /// The objects for the cameras among `nodes`: the old ones for those that stayed.
  private func cameras(_ nodes: [VideoNode], _ fresh: Known, _ old: Known) -> [V4L2Camera] {
    let kept = old.cameras.filter { camera in
      let path = camera.path
      let others = fresh.otherNodes(of: path).union(old.otherNodes(of: path))
      // A camera whose second or depth node comes or goes has other formats.
      guard others.allSatisfy({ fresh.nodes[$0]?.identity == old.nodes[$0]?.identity }) else { return false }
      return fresh.nodes[path]?.identity == old.nodes[path]?.identity
        && nodes.contains { $0.path == path }
    }
    var taken = Set(kept.map(\.facts.uniqueID))
    let facing = cameraThatFacesTheUser(nodes, fresh)
    return nodes.compactMap { node -> V4L2Camera? in
      guard case .camera(var probed)? = fresh.nodes[node.path]?.found, fresh.folded[node.path] == nil else {
        return nil
      }
      if node.path == facing { probed.facts.position = .front }
      for path in fresh.secondStreams[node.path] ?? [] {
        if case .camera(let other)? = fresh.nodes[path]?.found { probed = probed.adding(other) }
      }
      if let path = fresh.depthNodes[node.path], let depth = fresh.nodes[path]?.found.depth {
        probed = probed.measuring(depth)
      }
      if let same = kept.first(where: { $0.path == node.path }) { return same }
      // Makers give whole series of cameras the same serial number.
      var uniqueID = probed.facts.uniqueID
      if !taken.insert(uniqueID).inserted {
        uniqueID += kernel.placement(of: node).usb.map { "-port-\($0.socket)" } ?? "-\(node.name)"
        taken.insert(uniqueID)
      }
      // A camera on a cable lies as it lies, however the machine is held.
      let usb = kernel.placement(of: node).usb
      return V4L2Camera(
        probed, uniqueID: uniqueID, kernel: kernel, machine: usb?.isFixed == false ? nil : machine,
        timeout: timeout ?? SilenceTimeout(driver: probed.driver, bus: probed.sight.bus))
    }
  }

  /// The node of the camera above a laptop's screen: the only one built in, when nothing says where it sits.
  private func cameraThatFacesTheUser(_ nodes: [VideoNode], _ fresh: Known) -> String? {
    guard kernel.machineModel().isLaptop else { return nil }
    let builtIn = nodes.compactMap { node -> DeviceFacts? in
      guard case .camera(let probed)? = fresh.nodes[node.path]?.found, fresh.folded[node.path] == nil,
        probed.facts.kind == .wideAngleCamera
      else { return nil }
      return probed.facts
    }
    guard builtIn.count == 1, builtIn[0].position == .unspecified else { return nil }
    return nodes.map(\.path).first { path in
      if case .camera(let probed)? = fresh.nodes[path]?.found { return probed.facts == builtIn[0] }
      return false
    }
  }

  // MARK: Changes

  /// Reports plugs and unplugs, some 100 ms after the kernel has made or removed the node, on a thread of its own.
  public func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    watch.observe(observer) { [weak self] in
      self?.cameras() ?? []
    } watch: { changed throws(CaptureDeviceError) in
      do throws(KernelRefusal) {
        return try kernel.watchNodes(changed)
      } catch {
        throw .unwatched("Cameras", in: "/dev", errno: error.errno)
      }
    }
  }

  /// Whether plugs and unplugs are seen: false without an observer, and where the system has no watch left to give.
  public var observesDevices: Bool { watch.isWatching }

  /// The reason why an observer gets no report; `nil` when it does, and without one.
  public var watchFailure: CaptureDeviceError? { watch.failure }

  // MARK: Access

  /// `granted` unless there are nodes and this user may use none of them; the kernel has no microphones to refuse.
  public func access(for media: MediaKind) -> DeviceAccess {
    guard media != .audio else { return .granted }
    let isRefused = omitted().contains { $0.code == .permissionDenied }
    return isRefused && cameras().isEmpty ? .denied : .granted
  }

  /// No question is asked: rights come with the user's groups.
  ///
  /// `completion` is called before this returns.
  public func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(access(for: media))
  }
}

extension ProbedNode {
  fileprivate var mayChange: Bool {
    switch self {
    case .camera: false
    case .omitted(let node): node.mayChange
    }
  }

  fileprivate var depth: ProbedDepth? {
    switch self {
    case .camera(let camera): camera.depth
    case .omitted(let node): node.depth
    }
  }

  fileprivate var sight: NodeSight? {
    switch self {
    case .camera(let camera): camera.sight
    case .omitted(let node): node.sight
    }
  }
}
