internal import CPipeWire
package import CaptureDevice
internal import Foundation
internal import Glibc
internal import Linux

/// The desktop's answer to the question whether this program may use cameras, as a sandbox has it: the user is asked once, by the desktop.
///
/// That the user has allowed it is kept in a file, so that the next process knows it. A refusal is not, for the user may change it in the
/// desktop's settings: the next process asks again, and the desktop, which keeps all answers, gives the one there is without asking the
/// user. What a process has asked it does not ask again. Thread-safe.
///
/// Source: the XDG desktop portal's documentation, interface org.freedesktop.portal.Camera.
package final class CameraPortal: Sendable {
  private typealias Completion = @Sendable (DeviceAccess) -> Void

  private struct Waiting: Sendable {
    let call: Completion
  }

  private struct State {
    var access: DeviceAccess
    /// Those who wait for the answer; `nil` while no question is open.
    var waiting: [Waiting]?
    var hasAnswer = false
    var failure: CaptureDeviceError?
  }

  private let address: String?
  private let file: String
  private let state: Locked<State>
  private let wake = try? WakeUp()

  /// - Parameters:
  ///   - address: Of the bus; the user's when `nil`.
  ///   - file: Where it is kept that the user has allowed it.
  package init(
    address: String? = nil,
    file: String = UserFolders(ProcessInfo.processInfo.environment).configuration("obscura/camera-access")
  ) {
    self.address = address
    self.file = file
    state = Locked(State(access: Self.kept(in: file)))
  }

  /// Ends a question that is open; those who wait for its answer hear that there is none.
  func close() { wake?.signal() }

  /// Whether this program is in a sandbox, whose cameras the desktop gives: Flatpak, or Snap.
  package static var isNeeded: Bool {
    Glibc.access("/.flatpak-info", F_OK) == 0
      || isSnap(
        DeviceTree.resolved("/proc/self/exe") ?? "", ProcessInfo.processInfo.environment["SNAP"])
  }

  /// Whether a program is one of a snap: programs that a snap starts outside of itself have its variable, too.
  ///
  /// - Parameter folder: The snap's, of the variable `SNAP`.
  package static func isSnap(_ executable: String, _ folder: String?) -> Bool {
    guard let folder, !folder.isEmpty else { return false }
    // On some systems the folder of all snaps is a link.
    let real = DeviceTree.resolved(folder) ?? folder
    return executable.hasPrefix(real.hasSuffix("/") ? real : real + "/")
  }

  private static func kept(in file: String) -> DeviceAccess {
    let text = try? String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return text == "granted" ? .granted : .undetermined
  }

  private func keep(_ access: DeviceAccess) {
    guard access == .granted else {
      _ = Disk.unlink(file)
      return
    }
    // Where it cannot be kept the desktop, which keeps it too, is asked again.
    try? Disk.makeFolders((file as NSString).deletingLastPathComponent)
    try? AtomicFile.write("granted\n".utf8, to: file)
  }

  // MARK: The answer

  /// The user's answer in this process, or the permission of an earlier one.
  package var access: DeviceAccess { state.withLock { $0.access } }

  /// Why the cameras cannot be had: refused, or not to be asked for; `nil` where they can, and before the question.
  package var refusal: CaptureDeviceError? {
    state.withLock { state in
      switch state.access {
      case .denied:
        CaptureDeviceError(
          .permissionDenied,
          "The desktop keeps its cameras from this program, as its user has chosen; allow them in the desktop's settings, under Privacy, Cameras."
        )
      case .granted, .undetermined, .restricted: state.failure
      }
    }
  }

  /// The state of a program that has not asked yet.
  static let unasked = CaptureDeviceError(
    .permissionDenied,
    "The desktop has not been asked for its cameras yet; a program that takes a picture asks.")

  /// Asks where this process has not; `completion` is called once, on any thread, with what ``access`` then is.
  package func ask(_ completion: @escaping @Sendable (DeviceAccess) -> Void) {
    let (answer, begins) = state.withLock { state -> (DeviceAccess?, Bool) in
      if state.hasAnswer { return (state.access, false) }
      let begins = state.waiting == nil
      state.waiting = (state.waiting ?? []) + [Waiting(call: completion)]
      return (nil, begins)
    }
    if let answer { return completion(answer) }
    guard begins else { return }
    let thread = try? ReaderThread(name: "obscura-portal") { [self] in take(question()) }
    if thread == nil { take(nil) }
  }

  /// - Parameter response: The portal's; `nil` where none came.
  private func take(_ response: UInt32?) {
    let (waiting, access) = state.withLock { state -> ([Waiting], DeviceAccess) in
      switch response {
      case 0: (state.access, state.hasAnswer) = (.granted, true)
      case 1: (state.access, state.hasAnswer) = (.denied, true)
      default: break
      }
      state.failure =
        response == nil
        ? CaptureDeviceError(
          .permissionDenied,
          "This program is in a sandbox, and no desktop answers for its cameras; install xdg-desktop-portal with the desktop's part of it."
        )
        : nil
      defer { state.waiting = nil }
      return (state.waiting ?? [], state.access)
    }
    if response == 0 || response == 1 { keep(access) }
    for one in waiting { one.call(access) }
  }

  // MARK: The bus

  private func question() -> UInt32? {
    guard let wake, let bus = PortalBus(address) else { return nil }
    return bus.ask(until: wake)
  }

  /// A descriptor of a connection to PipeWire with the cameras that the user allowed.
  ///
  /// - Throws: `permissionDenied`; the user may have changed the answer, which counts from then on.
  package func remote() throws(CaptureDeviceError) -> Int32 {
    let result = PortalBus(address)?.remote() ?? -ENOENT
    guard result < 0 else { return result }
    if result == -EACCES || result == -EPERM {
      state.withLock { $0.access = .denied }
      keep(.denied)
    }
    throw refusal
      ?? CaptureDeviceError(
        .ioFailure,
        "The desktop does not open its cameras (\(String(cString: strerror(-result)))); log in again, or restart xdg-desktop-portal."
      )
  }
}

/// A connection to the bus on which the desktop answers; used by one thread.
private final class PortalBus {
  private let portal: OpaquePointer
  private var response: UInt32?

  /// Connects; `nil` where there is no bus.
  init?(_ address: String?) {
    var opened: OpaquePointer?
    guard cam_portal_open(address, &opened) == 0, let opened else { return nil }
    portal = opened
  }

  deinit { cam_portal_close(portal) }

  func remote() -> Int32 { cam_portal_remote(portal) }

  /// The answer; `nil` where there is none before `wake` is signalled.
  func ask(until wake: WakeUp) -> UInt32? {
    // Safe because the portal, which calls it, is closed with this.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let asked = cam_portal_ask(
      portal, "obscura\(getpid())",
      { context, response in
        if let context { Unmanaged<PortalBus>.fromOpaque(context).takeUnretainedValue().response = response }
      }, context)
    // Cameras are off for all programs, which the user is not asked about.
    if asked == EACCES { return 1 }
    guard asked == 0 else { return nil }
    while true {
      let more = cam_portal_process(portal)
      if let response { return response }
      if more < 0 { return nil }
      if more > 0 { continue }
      var descriptor: Int32 = -1
      var events: Int16 = 0
      var moment: UInt64 = .max
      guard cam_portal_waiting(portal, &descriptor, &events, &moment) >= 0 else { return nil }
      var watched = [
        pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: events, revents: 0),
      ]
      let rest = Int64(clamping: moment).subtractingReportingOverflow(MonotonicInstant.now.nanoseconds / 1000)
      let milliseconds = moment == .max ? -1 : Int32(clamping: max(rest.partialValue, 0) / 1000 + 1)
      if poll(&watched, 2, milliseconds) < 0, errno != EINTR { return nil }
      if watched[0].revents != 0 { return nil }
    }
  }
}
