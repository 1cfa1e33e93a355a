internal import CaptureDevice
internal import CoreMedia
internal import Linux
internal import MediaStreaming
internal import StreamParts

/// One camera of the network: what it sends, and whether it can be reached.
///
/// Thread-safe; observers are called on the camera's own thread, under no lock.
final class NetworkCamera: Sendable {
  private struct State {
    /// What the camera is known to send; `nil` before it answered, and after it sent something else.
    var known: [NetworkDevice]?
    /// Those of them that are there.
    var present: [NetworkDevice] = []
    /// Those whose end is still to be told to the observer.
    var lost: [NetworkDevice] = []
    /// Whether one of these had sent something since it was there.
    var wasLive = false
    /// Whether it was tried to the end.
    var hasTried = false
    var failure: CaptureDeviceError?
    /// What the keyring had, where the address has a name and no password.
    var password: String?
    /// The keyring's last answer since the camera was there, and when it came.
    var kept: (answer: Keyring.Answer, moment: MonotonicInstant)?
    var isClosed = false

    var isWhole: Bool { known.map { $0.count == present.count } ?? false }
  }

  private static let firstPause: Int64 = 500_000_000
  private static let longestPause: Int64 = 30_000_000_000
  private static let answerTimeout: Int64 = 8_000_000_000
  /// How long the keyring is left alone after an answer that did not open the camera.
  private static let keyringPause: Int64 = 300_000_000_000

  let address: NetworkAddress
  /// The name for people.
  let name: String
  /// The clock of its streams.
  let clock = CameraClock()
  private let state = Monitor(State())
  private let wake = try? WakeUp()
  private let keyring: Keyring

  init(_ address: NetworkAddress, name: String?, keyring: Keyring) {
    self.address = address
    self.keyring = keyring
    self.name = name ?? address.host
  }

  /// The address, also with the keyring's password.
  private var location: NetworkAddress {
    var whole = address
    if whole.password == nil { whole.password = state.withLock { $0.password } }
    return whole
  }

  /// Connects, and reads until it is known what comes.
  ///
  /// - Parameters:
  ///   - media: What is wanted of it.
  ///   - isOver: As of ``NetworkInput``.
  /// - Throws: ``NetworkProblem``.
  func open(
    _ media: Set<NetworkAddress.Medium>, isOver: @escaping @Sendable () -> Bool
  ) throws(NetworkProblem) -> NetworkInput {
    let location = location
    if let source = location.source(for: media) { return try NetworkInput(source, isOver: isOver) }
    return try NetworkInput(location.withPassword, options: location.options, isOver: isOver)
  }

  /// Why it is not there; `nil` while it is, and before it was tried.
  var failure: CaptureDeviceError? { state.withLock { $0.isWhole ? nil : $0.failure } }

  /// Its camera and microphone while it can be reached; waits for the end of the first try.
  func devices(until deadline: MonotonicInstant) -> [NetworkDevice] {
    _ = state.wait(until: deadline, for: { $0.hasTried || $0.isClosed }, then: { _ in })
    return state.withLock { state in
      (state.known ?? []).filter { one in state.present.contains { $0 === one } }
    }
  }

  /// Begins to try the camera, and reports when it comes and goes.
  func watch(_ observer: @escaping @Sendable (DeviceListChange) -> Void) {
    guard let wake else {
      return tried()
    }
    let thread = try? ReaderThread(name: "obscura-network") { [self] in follow(wake, observer) }
    if thread == nil { tried() }
  }

  /// Ends that.
  func close() {
    state.withLock { $0.isClosed = true }
    wake?.signal()
  }

  /// Notes that the stream of one of its devices has ended by itself; the other's may go on.
  ///
  /// - Parameters:
  ///   - wasLive: Whether it had sent something.
  ///   - isOther: Whether the camera sends something else than before: then both are gone.
  func lose(_ device: NetworkDevice, _ error: CaptureDeviceError, wasLive: Bool, isOther: Bool) {
    state.withLock { state in
      state.failure = error
      state.wasLive = state.wasLive || wasLive
      state.lost += state.present.filter { $0 === device || isOther }
      state.present.removeAll { $0 === device || isOther }
      if isOther { state.known = nil }
    }
    wake?.signal()
  }

  private func follow(_ wake: WakeUp, _ observer: (DeviceListChange) -> Void) {
    var pause: Int64 = 0
    while true {
      wake.clear()
      let (isClosed, isWhole, wasLive, lost) = state.withLock { state in
        defer { (state.lost, state.wasLive) = ([], false) }
        return (state.isClosed, state.isWhole, state.wasLive, state.lost)
      }
      if isClosed { return }
      if !lost.isEmpty {
        for device in lost { observer(.disconnected(uniqueID: device.facts.uniqueID)) }
        // One that connects and sends nothing is not tried without end.
        if wasLive { pause = 0 }
      } else if isWhole {
        _ = wake.wait()
        continue
      } else if let found = attempt() {
        for device in found { observer(.connected(device)) }
        tried()
        continue
      }
      tried()
      pause = min(max(2 * pause, Self.firstPause), Self.longestPause)
      _ = wake.wait(until: .now.advanced(byNanoseconds: pause))
    }
  }

  /// Lets `devices` return; after the observer was told, so that what is listed is not told as news once more.
  private func tried() {
    state.withLock { $0.hasTried = true }
  }

  /// Asks the camera; those of its devices that are there now and were not, where it answers.
  private func attempt() -> [NetworkDevice]? {
    let result: Result<[NetworkDevice], CaptureDeviceError>
    do throws(NetworkProblem) {
      if let known = state.withLock({ $0.known }), address.scheme != "srt" {
        try NetworkReach.connect(to: address.host, address.port) { self.isClosed }
        result = .success(known)
      } else {
        result = .success(try ask())
      }
    } catch {
      result = .failure(CaptureDeviceError(.disconnected, "\(name) is not there: \(error)\(error.remedy)."))
    }
    return state.withLock { state in
      switch result {
      case .success(let devices):
        let new = devices.filter { one in !state.present.contains { $0 === one } }
        state.known = devices
        state.present = devices
        state.failure = nil
        state.kept = nil
        return new
      case .failure(let error):
        state.failure = error
        return nil
      }
    }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  /// What the keyring has for a camera that refuses; `nil` where it is not for the keyring to say.
  private func lookUp() -> Keyring.Answer? {
    guard address.password == nil, let user = address.user else { return nil }
    let now = MonotonicInstant.now
    if let kept = state.withLock({ $0.kept }), now < kept.moment.advanced(byNanoseconds: Self.keyringPause) {
      return kept.answer
    }
    // For lists that do not wait until it answers.
    state.withLock {
      $0.failure = CaptureDeviceError(
        .disconnected,
        "\(name) is not there: it wants another name and password, and the keyring has not answered yet.")
    }
    let answer = keyring.password(of: user, at: address.host)
    state.withLock { state in
      state.kept = (answer, now)
      switch answer {
      case .password(let password): state.password = password
      case .absent: state.password = nil
      case .locked, .unavailable: break
      }
    }
    return answer
  }

  /// Asks the camera, and, once it has refused, the keyring: a camera that wants no login does not wait for that.
  private func ask() throws(NetworkProblem) -> [NetworkDevice] {
    let tried = state.withLock { $0.password }
    do throws(NetworkProblem) {
      return try connect()
    } catch {
      guard wantsLogin(error), let answer = lookUp() else { throw error }
      if case .password(let password) = answer, password != tried { return try again(answer) }
      throw Self.explained(error, answer)
    }
  }

  private func again(_ answer: Keyring.Answer) throws(NetworkProblem) -> [NetworkDevice] {
    do throws(NetworkProblem) {
      return try connect()
    } catch {
      throw Self.explained(error, answer)
    }
  }

  /// Whether a problem is, or may be, that a camera wants a login; by RTMP it does not say.
  private func wantsLogin(_ problem: NetworkProblem) -> Bool {
    switch problem.kind {
    case .unauthorized: true
    case .other, .ended: address.scheme.hasPrefix("rtmp")
    default: false
    }
  }

  private static func explained(_ problem: NetworkProblem, _ answer: Keyring.Answer) -> NetworkProblem {
    guard problem.kind == .unauthorized else { return problem }
    return NetworkProblem(.unauthorized, "\(problem), and \(answer.hint)")
  }

  private func connect() throws(NetworkProblem) -> [NetworkDevice] {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.answerTimeout)
    let input: NetworkInput
    do throws(NetworkProblem) {
      input = try open([.video, .audio]) {
        self.isClosed || MonotonicInstant.now > deadline
      }
    } catch {
      if error.kind == .over { throw NetworkProblem(.silent, "it does not answer") }
      throw error
    }
    let devices = [NetworkDevice.camera(self, input.tracks), NetworkDevice.microphone(self, input.tracks)]
    guard devices.contains(where: { $0 != nil }) else {
      let codecs = input.tracks.map(\.codec).joined(separator: ", ")
      throw NetworkProblem(
        .other, "it sends \(codecs.isEmpty ? "nothing that is known here" : codecs), which is not read")
    }
    return devices.compactMap { $0 }
  }
}
