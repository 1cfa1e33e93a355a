internal import Dispatch
public import Foundation
public import FoundationExtras
internal import Linux
internal import PhotoProcessing

/// Reports on the main queue how ready a photo output is, for a shutter button, while the output itself is used on another queue.
///
/// Beside what the output says it counts presses that were announced by ``startTrackingCaptureRequest(using:)`` and have not
/// reached the output. Thread-safe; the delegate is called on the main queue. Keeps the output; the output does not keep it.
///
/// Source:
/// [AVCapturePhotoOutputReadinessCoordinator](https://developer.apple.com/documentation/avfoundation/avcapturephotooutputreadinesscoordinator).
open class AVCapturePhotoOutputReadinessCoordinator: NSObject, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under `state`.

  /// Who observes ``captureReadiness``.
  public let observerTable = ObserverTable()

  private struct State {
    var announced: [(id: Int64, kind: PhotosUnderWay.Kind)] = []
    var readiness = AVCapturePhotoOutput.CaptureReadiness.sessionNotRunning
    var isUpdateComing = false
    /// Whether the delegate has got its first call, which reports the present readiness; changes are reported only after that.
    var isDelegateInformed = false
    weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)?
  }

  private let output: AVCapturePhotoOutput
  private let state = Locked(State())

  /// Follows an output.
  ///
  /// Apple: `AVCapturePhotoOutputReadinessCoordinator.init(photoOutput:)`.
  public init(photoOutput: AVCapturePhotoOutput) {
    output = photoOutput
    super.init()
    let readiness = photoOutput.readiness(announced: [])
    state.withLock { $0.readiness = readiness }
    photoOutput.responsiveness.followers.add(self)
  }

  /// Whom it calls, on the main queue; not retained.
  ///
  /// A new delegate first gets the present readiness.
  ///
  /// Apple: `AVCapturePhotoOutputReadinessCoordinator.delegate`.
  open weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let old = state.withLock { state in
        let old = state.delegate
        state.delegate = newValue
        if old !== newValue { state.isDelegateInformed = false }
        return old
      }
      guard newValue != nil, old !== newValue else { return }
      onMainQueue { coordinator in
        let (delegate, readiness) = coordinator.state.withLock { state in
          defer { state.isDelegateInformed = true }
          return (state.isDelegateInformed ? nil : state.delegate, state.readiness)
        }
        delegate?.readinessCoordinator(coordinator, captureReadinessDidChange: readiness)
      }
    }
  }

  /// The output's readiness with the announced presses.
  ///
  /// Changes on the main queue, before the delegate is called. Observable there.
  ///
  /// Apple: `AVCapturePhotoOutputReadinessCoordinator.captureReadiness`.
  open var captureReadiness: AVCapturePhotoOutput.CaptureReadiness {
    observerTable.access(\AVCapturePhotoOutputReadinessCoordinator.captureReadiness)
    return state.withLock { $0.readiness }
  }

  /// Announces a press: the readiness counts it until the output gets these settings, or newer ones.
  ///
  /// On the main queue the delegate is called before this returns, so that touches that are queued already find the button
  /// switched off. May be called before the session runs. Settings that break a rule by themselves are a programming
  /// mistake and have no effect.
  ///
  /// Apple: `AVCapturePhotoOutputReadinessCoordinator.startTrackingCaptureRequest(using:)`.
  open func startTrackingCaptureRequest(using settings: AVCapturePhotoSettings) {
    let isRaw = settings.rawPhotoPixelFormatType != 0
    let alone: PhotoEncoding? = isRaw && settings.format == nil ? .jpeg(quality: nil) : nil
    guard let encoding = alone ?? PhotoEncoding(format: settings.format), settings.constantColorMistake == nil
    else {
      return ProgrammingMistake.report(
        rule:
          "startTrackingCaptureRequest(using:) needs settings that capturePhoto(with:delegate:) could take.")
    }
    let isConstant = settings.isConstantColorEnabled
    let exposures =
      (settings as? AVCapturePhotoBracketSettings)?.bracketedSettings.count ?? (isConstant ? 2 : 1)
    let isFlashing = settings.flashMode == .on || isConstant
    let kind = PhotosUnderWay.Kind(
      frames: exposures,
      overlaps: output.isResponsiveCaptureEnabled && !isRaw && !output.asksForAllPhotosites(settings)
        && PhotoOrder.canOverlap(encoding, isFlashing: isFlashing, exposures: exposures),
      isSlowToExpose: isFlashing || exposures > 1,
      isSlowToProcess: settings.photoQualityPrioritization == .quality)
    let id = settings.uniqueID
    state.withLock { $0.announced.append((id, kind)) }
    onMainQueue { $0.update() }
  }

  /// Takes an announcement back, by the `uniqueID` of its settings; nothing happens when there is none.
  ///
  /// On the main queue the delegate is called before this returns.
  ///
  /// Apple: `AVCapturePhotoOutputReadinessCoordinator.stopTrackingCaptureRequest(using:)`.
  open func stopTrackingCaptureRequest(using settingsUniqueID: Int64) {
    state.withLock { $0.announced.removeAll { $0.id == settingsUniqueID } }
    onMainQueue { $0.update() }
  }

  // MARK: Changes

  /// Something that the readiness follows from has changed; from any thread.
  func outputDidChange() {
    // One update sees all changes before it: a burst does not fill the main queue.
    let isFirst = state.withLock { state in
      defer { state.isUpdateComing = true }
      return !state.isUpdateComing
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [weak self] in
      self?.state.withLock { $0.isUpdateComing = false }
      self?.update()
    }
  }

  /// Looks how ready the output is now, and reports a change; on the main queue.
  private func update() {
    let newest = output.responsiveness.newestPressID
    let announced = state.withLock { state in
      state.announced.removeAll { $0.id <= newest }
      return state.announced.map(\.kind)
    }
    let new = output.readiness(announced: announced)
    let (old, delegate) = state.withLock { state in
      defer { state.readiness = new }
      return (state.readiness, state.isDelegateInformed ? state.delegate : nil)
    }
    guard old != new else { return }
    observerTable.changed(
      \AVCapturePhotoOutputReadinessCoordinator.captureReadiness, of: self, from: old, to: new)
    delegate?.readinessCoordinator(self, captureReadinessDidChange: new)
  }

  private func onMainQueue(_ body: @escaping @Sendable (AVCapturePhotoOutputReadinessCoordinator) -> Void) {
    if MainQueue.isCurrent {
      body(self)
    } else {
      DispatchQueue.main.async { [self] in body(self) }
    }
  }
}

/// Hears how ready a photo output is.
///
/// Source:
/// [AVCapturePhotoOutputReadinessCoordinatorDelegate](https://developer.apple.com/documentation/avfoundation/avcapturephotooutputreadinesscoordinatordelegate).
public protocol AVCapturePhotoOutputReadinessCoordinatorDelegate: AnyObject {
  /// Called on the main queue after each change, and once when the delegate is set; does nothing unless implemented.
  ///
  /// Apple: `AVCapturePhotoOutputReadinessCoordinatorDelegate.readinessCoordinator(_:captureReadinessDidChange:)`.
  func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness)
}

extension AVCapturePhotoOutputReadinessCoordinatorDelegate {
  /// Does nothing: the method is optional, as on Apple's platforms.
  public func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
  ) {}
}
