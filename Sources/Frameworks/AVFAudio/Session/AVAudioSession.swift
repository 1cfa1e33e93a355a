internal import Dispatch
public import Foundation
package import Linux

/// The program's session with the audio system: its settings, and the inputs and outputs of the machine.
///
/// The category decides whether the ``currentRoute`` has an input and an output. The preferred input is what
/// `AVCaptureDevice.default(for: .audio)` returns. Thread-safe; notifications are posted on a queue of their own.
///
/// - Note: Unlike on iOS, programs do not silence each other: sound servers of Linux mix. Activating a session therefore takes
///   nothing from others.
///
/// Source: [AVAudioSession](https://developer.apple.com/documentation/avfaudio/avaudiosession).
public final class AVAudioSession: NSObject, @unchecked Sendable {  // Safe: locked state, and constants.
  private struct State {
    var isActive = false
    var isInterrupted = false
    /// The route that was reported last.
    var route: AVAudioSessionRouteDescription?
  }

  let hardware: any AudioSessionHardware
  let settings: Locked<AudioSessionSettings>
  private let state = Locked(State())
  /// Held while a route is found and compared, so that none takes the place of a newer one; no client is called under it.
  private let reviewing = Lock()
  private let queue = DispatchQueue(label: "obscura.audio-session")

  package init(
    hardware: any AudioSessionHardware, settings: Locked<AudioSessionSettings> = AudioSessionSettings.shared
  ) {
    self.hardware = hardware
    self.settings = settings
    super.init()
    let route = currentRoute
    state.withLock { $0.route = route }
  }

  // MARK: Category

  /// The category of the program's audio use; `soloAmbient` unless set.
  ///
  /// Apple: `AVAudioSession.category`.
  public var category: Category { settings.withLock { $0.category } }

  /// The purpose of the audio within the category; `default` unless set.
  ///
  /// Apple: `AVAudioSession.mode`.
  public var mode: Mode { settings.withLock { $0.mode } }

  /// The exceptions from what the category does, with those that they imply.
  ///
  /// Apple: `AVAudioSession.categoryOptions`.
  public var categoryOptions: CategoryOptions { settings.withLock { $0.options } }

  /// The categories that can be set.
  ///
  /// Apple: `AVAudioSession.availableCategories`.
  public var availableCategories: [Category] { Category.all }

  /// The modes that can be set with the present category.
  ///
  /// Apple: `AVAudioSession.availableModes`.
  public var availableModes: [Mode] {
    let category = category
    return Mode.all.filter { $0.fits(category) }
  }

  /// Sets category and options; the mode stays where it goes with the category, and is `default` otherwise.
  ///
  /// - Throws: `badParam` for what is unknown, or does not go together; nothing has changed then.
  ///
  /// Apple: `AVAudioSession.setCategory(_:options:)`.
  public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    let mode = mode
    try setCategory(category, mode: mode.fits(category) ? mode : .default, options: options)
  }

  /// Sets category, mode and options.
  ///
  /// - Throws: `badParam` for what is unknown, or does not go together; nothing has changed then.
  ///
  /// Apple: `AVAudioSession.setCategory(_:mode:options:)`.
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    guard Category.all.contains(category) else {
      throw ErrorCode.badParam.error(
        "There is no audio session category \(category.rawValue).", "Choose one of availableCategories.")
    }
    guard mode.fits(category) else {
      throw ErrorCode.badParam.error(
        "The mode \(mode.rawValue) does not go with \(category.rawValue).", "Choose one of availableModes.")
    }
    guard options.completed.isSubset(of: .allowed(in: category)) else {
      throw ErrorCode.badParam.error(
        "The options \(options.rawValue) do not go with \(category.rawValue).",
        "Leave out the options that the category does not have.")
    }
    settings.withLock { settings in
      settings.category = category
      settings.mode = mode
      settings.options = options.completed
    }
    reviewRoute(.categoryChange)
  }

  /// Sets the mode.
  ///
  /// - Throws: `badParam` for one that does not go with the category; nothing has changed then.
  ///
  /// Apple: `AVAudioSession.setMode(_:)`.
  public func setMode(_ mode: Mode) throws {
    let (category, options) = settings.withLock { ($0.category, $0.options) }
    try setCategory(category, mode: mode, options: options)
  }

  // MARK: Activity

  /// Says that the program begins, or ceases, to use audio.
  ///
  /// - Throws: `resourceNotAvailable` for a category that only records when nothing can; `insufficientPriority` while another
  ///   program has the microphone.
  ///
  /// Apple: `AVAudioSession.setActive(_:options:)`.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    if active {
      if category == .record, hardware.inputs.isEmpty {
        throw ErrorCode.resourceNotAvailable.error(
          "There is no microphone to record from.", "Plug one in, or choose a category that plays.")
      }
      if state.withLock({ $0.isInterrupted }), category.hasInput {
        throw ErrorCode.insufficientPriority.error(
          "Another program is using the microphone.", "Wait for the end of the interruption.")
      }
    }
    state.withLock { $0.isActive = active }
  }

  // MARK: Routes

  /// The inputs and outputs in use now.
  ///
  /// The preferred input, or else the first; the first output. Apple: `AVAudioSession.currentRoute`.
  public var currentRoute: AVAudioSessionRouteDescription {
    let (category, preferred) = settings.withLock { ($0.category, $0.preferredInput) }
    let inputs = category.hasInput ? hardware.inputs : []
    let input = inputs.first { $0.uid == preferred } ?? inputs.first
    return AVAudioSessionRouteDescription(
      inputs: [input].compactMap(\.self),
      outputs: category.hasOutput ? Array(hardware.outputs.prefix(1)) : [])
  }

  /// The inputs that may be preferred; empty while the category does not record.
  ///
  /// Apple: `AVAudioSession.availableInputs`.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    category.hasInput ? hardware.inputs : []
  }

  /// The input that the program prefers; `nil` for none, and while it is unplugged.
  ///
  /// Apple: `AVAudioSession.preferredInput`.
  public var preferredInput: AVAudioSessionPortDescription? {
    let preferred = settings.withLock { $0.preferredInput }
    return hardware.inputs.first { $0.uid == preferred }
  }

  /// Prefers an input: that of the route, and of `AVCaptureDevice.default(for: .audio)`; `nil` for none in particular.
  ///
  /// - Throws: `badParam` for a port that is none of ``availableInputs``.
  ///
  /// Apple: `AVAudioSession.setPreferredInput(_:)`.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    if let inPort, availableInputs?.contains(inPort) != true {
      throw ErrorCode.badParam.error(
        "\(inPort.portName) is no input that is available.", "Choose one of availableInputs.")
    }
    settings.withLock { $0.preferredInput = inPort?.uid }
    reviewRoute(.override)
  }

  /// Whether there is a microphone.
  ///
  /// Apple: `AVAudioSession.isInputAvailable`.
  public var isInputAvailable: Bool { !hardware.inputs.isEmpty }

  /// Samples a second of the route's input, or 48000 without one.
  ///
  /// That in which a capture session records from it unless asked for another. Apple: `AVAudioSession.sampleRate`.
  public var sampleRate: Double { currentRoute.inputs.first?.sampleRate ?? 48_000 }

  /// How many channels the route's input has; 0 without one.
  ///
  /// Apple: `AVAudioSession.inputNumberOfChannels`.
  public var inputNumberOfChannels: Int { currentRoute.inputs.first?.channelCount ?? 0 }

  // MARK: Permission

  /// Whether the program may record, without asking the user.
  ///
  /// Apple: `AVAudioSession.recordPermission`.
  public var recordPermission: RecordPermission { hardware.recordPermission }

  /// Asks the user where that has not happened yet; `response` gets the answer once, on any thread.
  ///
  /// Apple: `AVAudioSession.requestRecordPermission(_:)`.
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    hardware.requestRecordPermission(response)
  }

  // MARK: News

  /// The inputs or outputs are others, or the settings have changed without this session.
  package func reviewRoute(_ reason: RouteChangeReason) {
    let (route, former) = reviewing.withLock {
      () -> (AVAudioSessionRouteDescription, AVAudioSessionRouteDescription?) in
      let route = currentRoute
      let former = state.withLock { state -> AVAudioSessionRouteDescription? in
        guard state.route != route else { return nil }
        defer { state.route = route }
        return state.route
      }
      return (route, former)
    }
    guard let former else { return }
    let isLost = category.hasInput && route.inputs.isEmpty && reason != .oldDeviceUnavailable
    var why = isLost ? RouteChangeReason.noSuitableRouteForCategory : reason
    if reason == .newDeviceAvailable || reason == .oldDeviceUnavailable {
      // News of several devices may come late: what has changed says why, not which news was first.
      let present = hardware.inputs
      why = former.inputs.allSatisfy(present.contains) ? .newDeviceAvailable : .oldDeviceUnavailable
    }
    queue.async { [self, why] in
      NotificationCenter.default.post(
        name: Self.routeChangeNotification, object: self,
        userInfo: [
          AVAudioSessionRouteChangeReasonKey: NSNumber(value: why.rawValue),
          AVAudioSessionRouteChangePreviousRouteKey: former,
        ])
    }
  }

  /// Another program has taken the microphone, or let go of it.
  package func setInterrupted(_ isInterrupted: Bool) {
    let changes = state.withLock { state in
      defer { state.isInterrupted = isInterrupted }
      return state.isInterrupted != isInterrupted
    }
    guard changes else { return }
    queue.async { [self] in
      let type = isInterrupted ? InterruptionType.began : .ended
      var userInfo = [AVAudioSessionInterruptionTypeKey: NSNumber(value: type.rawValue)]
      if isInterrupted {
        userInfo[AVAudioSessionInterruptionReasonKey] = NSNumber(value: InterruptionReason.default.rawValue)
      } else {
        userInfo[AVAudioSessionInterruptionOptionKey] = NSNumber(
          value: InterruptionOptions.shouldResume.rawValue)
      }
      NotificationCenter.default.post(name: Self.interruptionNotification, object: self, userInfo: userInfo)
    }
  }
}
