internal import CVideo4Linux
internal import Glibc
package import Linux

/// The kernel that runs this machine.
package struct LinuxVideoKernel: VideoKernel {
  /// The folder of device nodes.
  private static let folder = "/dev"

  /// The kernel; nothing is opened yet.
  package init() {}

  // MARK: Nodes

  package func nodes() throws(KernelRefusal) -> [VideoNode] {
    guard let directory = opendir(Self.folder) else { throw KernelRefusal(.listNodes, errno) }
    defer { closedir(directory) }
    var found: [(number: Int, node: VideoNode)] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      guard name.hasPrefix("video"), let number = Int(name.dropFirst(5)) else { continue }
      let path = "\(Self.folder)/\(name)"
      var status = stat()
      // A node that went between the two calls is not there.
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { continue }
      // Nodes live in memory, where inode numbers are not used twice.
      let identity = UInt64(status.st_ino) << 32 ^ UInt64(status.st_rdev)
      found.append((number, VideoNode(path: path, identity: identity)))
    }
    return found.sorted { $0.number < $1.number }.map(\.node)
  }

  package func watchNodes(
    _ changed: @escaping @Sendable () -> Void
  ) throws(KernelRefusal) -> any AnyObject & Sendable {
    do throws(SystemError) {
      return try FolderWatch([FolderWatch.Place(Self.folder, prefix: "video")], changed)
    } catch {
      throw KernelRefusal(.watchNodes, error.errno)
    }
  }

  package func placement(of node: VideoNode) -> DevicePlacement {
    VideoDeviceTree().placement(ofNodeNamed: node.name)
  }

  package func holders(of path: String) -> [DeviceHolder] {
    DeviceHolder.all(of: path)
  }

  package func access(to path: String) -> NodeAccess {
    NodeAccess(path: path)
  }

  // MARK: Opening

  package func open(_ path: String) throws(KernelRefusal) -> VideoHandle {
    let descriptor = cam_v4l2_open(path)
    if descriptor < 0 { throw KernelRefusal(.open, -descriptor) }
    return VideoHandle(descriptor: descriptor)
  }

  package func close(_ handle: VideoHandle) {
    Glibc.close(handle.descriptor)
  }

  package func identity(_ handle: VideoHandle) throws(KernelRefusal) -> VideoIdentity {
    var capability = v4l2_capability()
    try call(.identity, handle, cam_v4l2_VIDIOC_QUERYCAP, &capability)
    // A driver with several nodes says what each can do in a second field.
    let flags =
      capability.capabilities & UInt32(bitPattern: Int32(truncatingIfNeeded: V4L2_CAP_DEVICE_CAPS)) != 0
      ? capability.device_caps : capability.capabilities
    func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(truncatingIfNeeded: flag) != 0 }
    return VideoIdentity(
      driver: text(capability.driver), card: text(capability.card), bus: text(capability.bus_info),
      captures: has(V4L2_CAP_VIDEO_CAPTURE) && !has(V4L2_CAP_VIDEO_OUTPUT) && !has(V4L2_CAP_VIDEO_M2M)
        && !has(V4L2_CAP_META_CAPTURE),
      streams: has(V4L2_CAP_STREAMING), needsMediaGraph: has(V4L2_CAP_IO_MC),
      capturesInPlanes: has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) && !has(V4L2_CAP_VIDEO_OUTPUT_MPLANE)
        && !has(V4L2_CAP_VIDEO_M2M_MPLANE) && !has(V4L2_CAP_VIDEO_CAPTURE))
  }

  // MARK: Waiting

  package func wait(
    _ handle: VideoHandle?, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> VideoReadiness {
    try poll(handle, wake, for: Int16(POLLIN), .filled, nanoseconds: nanoseconds)
  }

  package func wait(
    _ first: VideoHandle?, _ second: VideoHandle?, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> (VideoReadiness, VideoReadiness) {
    var watched = [
      pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: first?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: second?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    guard try poll(&watched, nanoseconds) else { return ([], []) }
    var readiness = Self.readiness(watched[1], .filled)
    if watched[0].revents != 0 {
      wake.clear()
      readiness.insert(.woken)
    }
    return (readiness, Self.readiness(watched[2], .filled))
  }

  /// Sleeps until `events` come from the device, it fails, or `wake` is signalled.
  func poll(
    _ handle: VideoHandle?, _ wake: WakeUp, for events: Int16, _ meaning: VideoReadiness, nanoseconds: Int64
  ) throws(KernelRefusal) -> VideoReadiness {
    var watched = [
      pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: handle?.descriptor ?? -1, events: events, revents: 0),
    ]
    guard try poll(&watched, nanoseconds) else { return [] }
    var readiness = Self.readiness(watched[1], meaning)
    if watched[0].revents != 0 {
      wake.clear()
      readiness.insert(.woken)
    }
    return readiness
  }

  /// Sleeps until something happens to `watched`, at most `nanoseconds`; false when a signal handler ran: the caller looks at
  /// its deadline and waits again.
  private func poll(_ watched: inout [pollfd], _ nanoseconds: Int64) throws(KernelRefusal) -> Bool {
    let milliseconds = Int32(clamping: (max(nanoseconds, 0) + 999_999) / 1_000_000)
    if Glibc.poll(&watched, nfds_t(watched.count), milliseconds) >= 0 { return true }
    if errno == EINTR { return false }
    throw KernelRefusal(.wait, errno)
  }

  /// The readiness of a device: `meaning` for the events that were asked for, or failed.
  private static func readiness(_ device: pollfd, _ meaning: VideoReadiness) -> VideoReadiness {
    var readiness: VideoReadiness = []
    if device.revents & device.events != 0 { readiness.insert(meaning) }
    if device.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { readiness.insert(.failed) }
    return readiness
  }

  // MARK: Calling

  /// Makes one request.
  func call<Argument>(
    _ name: VideoCall, _ handle: VideoHandle, _ request: UInt, _ argument: inout Argument
  ) throws(KernelRefusal) {
    let failure = withUnsafeMutablePointer(to: &argument) { pointer in
      cam_v4l2_ioctl(handle.descriptor, request, pointer)
    }
    if failure != 0 { throw KernelRefusal(name, failure) }
  }

  /// A C array of characters up to its first zero.
  func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
