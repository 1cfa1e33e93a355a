import Foundation
import Linux
import V4L2Devices
import Waiting

/// A kernel that plays a script: cameras in memory, and any call refused or hung on demand.
final class ScriptedKernel: VideoKernel, @unchecked Sendable {  // Safe: all under `state`.
  struct Exposure {
    /// The bytes that the camera sends instead of a pattern of its number.
    var bytes: [UInt8]?
    var usedBytes: Int?
    var isBroken = false
    var stamp: Int64?? = .none
    /// The sequence numbers to skip before this one.
    var skipping: UInt32 = 0
  }

  final class Device {
    let path: String
    let camera: KernelCamera
    var identity: UInt64
    var isPlugged = true
    var hasFatalError = false
    /// The opening that has buffers; it lives until it is closed and nothing of it is mapped.
    var owner: Int?
    var layout: VideoLayout?
    var duration = VideoFraction(1, 30)
    /// How many buffers there are.
    var granted = 0
    var memories: [UnsafeMutableRawBufferPointer] = []
    var queued: [Int] = []
    var filled: [FilledBuffer] = []
    var isStreaming = false
    var sequence: UInt32
    var controls: [VideoControl: VideoControlDescription]
    var values: [VideoControl: Int64]
    var texts: [VideoControl: String]
    /// The controls that were set, in order.
    var writes: [VideoControl] = []
    var run = 0

    init(_ path: String, _ camera: KernelCamera, identity: UInt64) {
      self.path = path
      self.camera = camera
      self.identity = identity
      // Drivers do not all begin with 0.
      sequence = 100
      controls = camera.controls
      values = camera.values
      texts = camera.texts
    }

    /// Gives the buffers up, as `VIDIOC_REQBUFS` with a count of 0 does.
    func disown() {
      owner = nil
      isStreaming = false
      queued = []
      filled = []
      granted = 0
      memories = []
    }
  }

  struct State {
    var devices: [Device] = []
    var handles: [Int32: (device: Device, signal: WakeUp, opening: Int)] = [:]
    var openings = 0
    var subscriptions: [Int32: Set<VideoControl>] = [:]
    /// How often a thread has begun to wait for a control's change.
    var watches = 0
    var forced: [VideoCall: (errno: Int32, skip: Int, times: Int)] = [:]
    var hung: Set<VideoCall> = []
    /// The calls in which a thread hangs.
    var hanging: [VideoCall] = []
    var calls: [VideoCall] = []
    /// The nanoseconds that each wait for a frame was given.
    var waits: [Int64] = []
    /// The opening through which each address was mapped.
    var mapped: [UInt: Int] = [:]
    var watchers: [Int: @Sendable () -> Void] = [:]
    /// Plugged in when a watch begins, a moment before it sees anything.
    var latecomer: KernelCamera?
    var nextIdentity: UInt64 = 1
    var holders: [DeviceHolder] = []
    /// The media devices of cameras that were unplugged while ``removesSlowly``.
    var leaving: Set<String> = []
    var removesSlowly = false
    /// Whether who asks for the media device of an unplugged camera gets the answer when it is gone, and how often that was asked.
    var holdsQuestions = false
    var heldQuestions = 0
    /// The call, by the number of all calls until then, that meets a fault.
    var trap = CallTrap<CallFault>()
    /// Whether cameras that send by themselves have stopped, and whether the next picture is cut off.
    var isSilent = false
    var isShort = false
    var machine = MachineModel()
    var access = NodeAccess(group: "video")
  }

  let state = Monitor(State())
  let real = LinuxVideoKernel()

  init(_ cameras: [KernelCamera] = []) {
    for (number, camera) in cameras.enumerated() { plug(camera, "/dev/video\(number)") }
  }

  // MARK: Script

  func plug(_ camera: KernelCamera, _ path: String) {
    let watchers = state.withLock { state in
      state.devices.append(Device(path, camera, identity: state.nextIdentity))
      state.nextIdentity += 1
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher() }
  }

  func unplug(_ path: String) {
    let watchers = state.withLock { state in
      for device in state.devices where device.path == path {
        device.isPlugged = false
        if state.removesSlowly { state.leaving.insert(Self.mediaFolder(path)) }
        state.wake(device)
      }
      state.devices.removeAll { $0.path == path }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher() }
  }

  /// From now on an unplugged camera's media device stays until ``finishRemovals()``.
  ///
  /// - Parameter holdsQuestions: Whether a thread that asks for it waits as long, whatever its timeout.
  func removeSlowly(holdsQuestions: Bool = false) {
    state.withLock { state in
      state.removesSlowly = true
      state.holdsQuestions = holdsQuestions
    }
  }

  /// The number of threads that asked for media devices during their removal, and were held.
  var heldQuestions: Int { state.withLock { $0.heldQuestions } }

  func finishRemovals() {
    state.withLock { $0.leaving = [] }
  }

  private static func mediaFolder(_ path: String) -> String { "/sys/scripted\(path)/media0" }

  /// Refuses `call` with `errno`, after `skip` that pass, `times` times.
  func force(_ call: VideoCall, _ errno: Int32, after skip: Int = 0, times: Int = .max) {
    state.withLock { $0.forced[call] = (errno, skip, times) }
  }

  func unforce() {
    state.withLock { $0.forced = [:] }
  }

  /// Lets `call` hang until ``resume()``.
  func hang(_ call: VideoCall) {
    state.withLock { _ = $0.hung.insert(call) }
  }

  func resume() {
    state.withLock { $0.hung = [] }
  }

  func failForGood(_ path: String) {
    state.withLock { state in
      for device in state.devices where device.path == path {
        device.hasFatalError = true
        state.wake(device)
      }
    }
  }

  /// The camera exposes a frame; the driver fills a buffer with its sequence number, or loses it when there is none.
  func expose(_ path: String = "/dev/video0", _ exposure: Exposure = Exposure()) {
    state.withLock { state in
      guard let device = state.devices.first(where: { $0.path == path }) else { return }
      state.expose(device, exposure)
    }
  }

  var openCount: Int { state.withLock { $0.handles.count } }
  var mappedCount: Int { state.withLock { $0.mapped.count } }
  var calls: [VideoCall] { state.withLock { $0.calls } }
  var mappedAddresses: Set<UInt> { state.withLock { Set($0.mapped.keys) } }

  /// Blocks until a call or the script makes the state so; false when none does within half a minute.
  func waits(until isTrue: (State) -> Bool) -> Bool { state.wait(isTrue) }

  /// Blocks until every node is closed and no memory mapped.
  func isGivenBack() -> Bool { waits { $0.handles.isEmpty && $0.mapped.isEmpty } }

  /// Blocks until the driver has so many buffers to fill.
  func isQueued(_ count: Int, _ path: String = "/dev/video0") -> Bool {
    waits { $0.devices.first { $0.path == path }?.queued.count == count }
  }

  func queuedCount(_ path: String = "/dev/video0") -> Int {
    state.withLock { $0.devices.first { $0.path == path }?.queued.count ?? 0 }
  }

  func device<Result>(_ path: String, _ body: (Device) -> Result) -> Result? {
    state.withLock { state in state.devices.first { $0.path == path }.map(body) }
  }

  // MARK: Calls

  func note(_ call: VideoCall) throws(KernelRefusal) {
    try spring(call)
    let forced = state.withLock { state -> Int32? in
      state.calls.append(call)
      guard var rule = state.forced[call] else { return nil }
      if rule.skip > 0 {
        rule.skip -= 1
        state.forced[call] = rule
        return nil
      }
      guard rule.times > 0 else { return nil }
      if rule.times != .max { rule.times -= 1 }
      state.forced[call] = rule
      return rule.errno
    }
    let hangs = state.withLock { state in
      let hangs = state.hung.contains(call)
      if hangs { state.hanging.append(call) }
      return hangs
    }
    if hangs {
      _ = state.wait(
        for: { !$0.hung.contains(call) },
        then: { state in state.hanging.firstIndex(of: call).map { _ = state.hanging.remove(at: $0) } })
    }
    if let forced { throw KernelRefusal(call, forced) }
  }

  /// The device behind a handle; ENODEV when it is unplugged.
  func onDevice<Result>(
    _ call: VideoCall, _ handle: VideoHandle,
    _ body: (inout State, Device) throws(KernelRefusal) -> Result
  ) throws(KernelRefusal) -> Result {
    try note(call)
    return try state.withLock { (state: inout State) throws(KernelRefusal) -> Result in
      guard let device = state.handles[handle.descriptor]?.device else { throw KernelRefusal(call, EBADF) }
      guard device.isPlugged else { throw KernelRefusal(call, ENODEV) }
      return try body(&state, device)
    }
  }

  func nodes() throws(KernelRefusal) -> [VideoNode] {
    try note(.listNodes)
    return state.withLock { state in
      state.devices.map { VideoNode(path: $0.path, identity: $0.identity) }.sorted { $0.path < $1.path }
    }
  }

  private final class Watch: Sendable {
    let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  func watchNodes(
    _ changed: @escaping @Sendable () -> Void
  ) throws(KernelRefusal) -> any AnyObject & Sendable {
    try note(.watchNodes)
    if let camera = state.withLock({ $0.latecomer.take() }) { plug(camera, "/dev/video8") }
    let key = state.withLock { state in
      let key = (state.watchers.keys.max() ?? 0) + 1
      state.watchers[key] = changed
      return key
    }
    return Watch { [state] in state.withLock { _ = $0.watchers.removeValue(forKey: key) } }
  }

  func placement(of node: VideoNode) -> DevicePlacement {
    state.withLock { state in
      state.devices.first { $0.path == node.path }?.camera.placement ?? DevicePlacement()
    }
  }

  func mediaGraph(of node: VideoNode) -> MediaGraph? {
    state.withLock { state in state.devices.first { $0.path == node.path }?.camera.graph }
  }

  func mediaFolder(of path: String) -> String? {
    state.withLock { state in
      state.devices.contains { $0.path == path && $0.camera.hasMediaDevice } ? Self.mediaFolder(path) : nil
    }
  }

  func hasFolder(_ folder: String) -> Bool {
    let isHeld = state.withLock { state in
      let isHeld = state.holdsQuestions && state.leaving.contains(folder)
      if isHeld { state.heldQuestions += 1 }
      return isHeld
    }
    if isHeld { _ = state.wait(for: { !$0.leaving.contains(folder) }, then: { _ in }) }
    return state.withLock { state in
      state.leaving.contains(folder) || state.devices.contains { Self.mediaFolder($0.path) == folder }
    }
  }

  func access(to path: String) -> NodeAccess { state.withLock { $0.access } }

  func machineModel() -> MachineModel { state.withLock { $0.machine } }

  func holders(of path: String) -> [DeviceHolder] { state.withLock { $0.holders } }

  func open(_ path: String) throws(KernelRefusal) -> VideoHandle {
    try note(.open)
    return try state.withLock { (state: inout State) throws(KernelRefusal) -> VideoHandle in
      guard let device = state.devices.first(where: { $0.path == path }), let signal = try? WakeUp() else {
        throw KernelRefusal(.open, ENOENT)
      }
      state.openings += 1
      state.handles[signal.descriptor.number] = (device, signal, state.openings)
      return VideoHandle(descriptor: signal.descriptor.number)
    }
  }

  func close(_ handle: VideoHandle) {
    state.withLock { state in
      state.subscriptions[handle.descriptor] = nil
      if let opening = state.handles.removeValue(forKey: handle.descriptor)?.opening {
        state.release(opening)
      }
    }
  }

  func wait(
    _ handle: VideoHandle?, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> VideoReadiness {
    try note(.wait)
    state.withLock { $0.waits.append(nanoseconds) }
    var readiness = try real.wait(handle, wake, nanoseconds: nanoseconds)
    if let handle {
      state.withLock { state in
        guard let device = state.handles[handle.descriptor]?.device else { return }
        if !device.isPlugged || device.hasFatalError { readiness = [.failed] }
      }
    }
    return readiness
  }

  func wait(
    _ first: VideoHandle?, _ second: VideoHandle?, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> (VideoReadiness, VideoReadiness) {
    try note(.wait)
    var (one, two) = try real.wait(first, second, wake, nanoseconds: nanoseconds)
    state.withLock { state in
      func hasFailed(_ handle: VideoHandle?) -> Bool {
        guard let handle, let device = state.handles[handle.descriptor]?.device else { return false }
        return !device.isPlugged || device.hasFatalError
      }
      if hasFailed(first) { one = [.failed] }
      if hasFailed(second) { two = [.failed] }
    }
    return (one, two)
  }
}
