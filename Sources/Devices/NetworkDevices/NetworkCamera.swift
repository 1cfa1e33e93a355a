internal import CaptureDevice
internal import CoreMedia
internal import Linux
internal import MediaStreaming

/// One camera of the network: what it sends, and whether it can be reached.
///
/// Thread-safe; observers are called on the camera's own thread, under no lock.
final class NetworkCamera: Sendable {
  private struct State {
    /// What the camera is known to send; `nil` before it answered, and after it sent something else.
    var known: [NetworkDevice]?
    var isPresent = false
    /// Whether its end is still to be told to the observer.
    var isLost = false
    /// Whether it was tried to the end.
    var hasTried = false
    var failure: CaptureDeviceError?
    var isClosed = false
  }

  private static let firstPause: Int64 = 500_000_000
  private static let longestPause: Int64 = 30_000_000_000
  private static let answerTimeout: Int64 = 8_000_000_000

  let address: NetworkAddress
  /// The name for people.
  let name: String
  /// The clock of its streams.
  let clock = CameraClock()
  private let state = Monitor(State())
  private let wake = try? WakeUp()

  init(_ address: NetworkAddress, name: String?) {
    self.address = address
    self.name = name ?? address.host
  }

  /// Why it is not there; `nil` while it is, and before it was tried.
  var failure: CaptureDeviceError? { state.withLock { $0.isPresent ? nil : $0.failure } }

  /// Its camera and microphone while it can be reached; waits for the end of the first try.
  func devices(until deadline: MonotonicInstant) -> [NetworkDevice] {
    _ = state.wait(until: deadline, for: { $0.hasTried || $0.isClosed }, then: { _ in })
    return state.withLock { $0.isPresent ? $0.known ?? [] : [] }
  }

  /// Begins to try the camera, and reports when it comes and goes.
  func watch(_ observer: @escaping @Sendable (DeviceListChange) -> Void) {
    guard let wake else {
      return state.withLock { $0.hasTried = true }
    }
    let thread = try? ReaderThread(name: "obscura-network") { [self] in follow(wake, observer) }
    if thread == nil { state.withLock { $0.hasTried = true } }
  }

  /// Ends that.
  func close() {
    state.withLock { $0.isClosed = true }
    wake?.signal()
  }

  /// Notes that a stream has ended by itself.
  ///
  /// - Parameter isOther: Whether the camera sends something else than before.
  func lose(_ error: CaptureDeviceError, isOther: Bool) {
    state.withLock { state in
      state.failure = error
      state.isLost = state.isPresent
      state.isPresent = false
      if isOther { state.known = nil }
    }
    wake?.signal()
  }

  private func follow(_ wake: WakeUp, _ observer: (DeviceListChange) -> Void) {
    var pause: Int64 = 0
    // Those that the observer knows.
    var announced: [NetworkDevice] = []
    while true {
      wake.clear()
      let (isClosed, isPresent, isLost) = state.withLock { state in
        defer { state.isLost = false }
        return (state.isClosed, state.isPresent, state.isLost)
      }
      if isClosed { return }
      if isLost {
        for device in announced { observer(.disconnected(uniqueID: device.facts.uniqueID)) }
        announced = []
        pause = Self.firstPause
      } else if isPresent {
        _ = wake.wait()
        continue
      } else if let found = attempt() {
        announced = found
        pause = 0
        for device in found { observer(.connected(device)) }
        continue
      } else {
        pause = min(max(2 * pause, Self.firstPause), Self.longestPause)
      }
      _ = wake.wait(until: .now.advanced(byNanoseconds: pause))
    }
  }

  /// Asks the camera; its devices where it answers.
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
      result = .failure(CaptureDeviceError(.disconnected, "\(name) is not there: \(error)."))
    }
    return state.withLock { state in
      state.hasTried = true
      switch result {
      case .success(let devices):
        state.known = devices
        state.isPresent = true
        state.failure = nil
        return devices
      case .failure(let error):
        state.failure = error
        return nil
      }
    }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func ask() throws(NetworkProblem) -> [NetworkDevice] {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.answerTimeout)
    let input: NetworkInput
    do throws(NetworkProblem) {
      input = try NetworkInput(address.withPassword, options: address.options(for: "video+audio")) {
        self.isClosed || MonotonicInstant.now > deadline
      }
    } catch {
      throw error.kind == .over ? NetworkProblem(.silent, "it does not answer") : error
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
