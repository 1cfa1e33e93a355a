package import AVFCore
internal import CaptureDevice
public import Dispatch
public import Foundation
public import FoundationExtras
internal import Linux

/// Finds codes, faces and people in what a camera sees, and reports them to a delegate.
///
/// Frames are searched where they lie, on a queue of the output's own that takes no time from previews and data outputs:
/// the newest frame is searched next, and what came in the meantime is skipped. No frame is copied, unless its pixel format
/// has no plane of luma. Light passes come first; harder ones follow in frames where those find nothing, as far as the
/// frame rate allows.
///
/// Thread-safe; everything may be called from inside the delegate's callback. Observable: `availableMetadataObjectTypes`,
/// reported on a queue of its own.
///
/// Source: [AVCaptureMetadataOutput](https://developer.apple.com/documentation/avfoundation/avcapturemetadataoutput).
open class AVCaptureMetadataOutput: AVCaptureOutput, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under `state`, or has a lock of its own.

  /// Who observes the output's properties.
  public let observerTable = ObserverTable()

  private struct State {
    var types: [AVMetadataObject.ObjectType] = []
    var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
    /// Whether types could be found when the connections changed last.
    var couldFind = false
  }

  private let state = Locked(State())
  private let slot = DelegateSlot<any AVCaptureMetadataOutputObjectsDelegate>()
  /// Where observers are called: connections change under a lock of the session.
  private static let observations = DispatchQueue(label: "obscura.metadata-observers")
  private let recognition = Recognition()

  /// An output that looks for nothing yet.
  ///
  /// Apple: `AVCaptureMetadataOutput.init()`.
  public init() {
    super.init(number: ())
  }

  // MARK: Delegate

  /// The delegate; `nil` when there is none, or it is gone.
  ///
  /// Apple: `AVCaptureMetadataOutput.metadataObjectsDelegate`.
  open var metadataObjectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)? { slot.delegate }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVCaptureMetadataOutput.metadataObjectsCallbackQueue`.
  open var metadataObjectsCallbackQueue: DispatchQueue? { slot.queue }

  /// Sets the delegate, and its queue.
  ///
  /// The delegate is not retained. After this returns, no further call to the former delegate begins; one may be under way. The new
  /// one gets what is found from now on, also in the frame that is being searched. What is set already changes nothing.
  /// Without a delegate nothing is searched.
  ///
  /// - Parameters:
  ///   - objectsDelegate: The delegate, or `nil`.
  ///   - objectsCallbackQueue: A serial queue; `nil` only together with a `nil` delegate. The calls come one at a time and in
  ///     order on a concurrent queue, too.
  ///
  /// Apple: `AVCaptureMetadataOutput.setMetadataObjectsDelegate(_:queue:)`.
  open func setMetadataObjectsDelegate(
    _ objectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)?,
    queue objectsCallbackQueue: DispatchQueue?
  ) {
    slot.set(
      objectsDelegate, on: objectsCallbackQueue, weakly: { [weak objectsDelegate] in objectsDelegate },
      serve: serve)
  }

  private func serve(_ recipient: Recipient<any AVCaptureMetadataOutputObjectsDelegate>) {
    recognition.setClient(
      recipient.client { queue in
        Recognition.Client(queue: queue) { [weak self] objects, call in
          guard let self, let delegate = recipient.delegate else { return .unwanted }
          return call.begin { delegate.metadataOutput(self, didOutput: objects, from: call.route.connection) }
        }
      },
      takesOver: !(recipient.delegate is any FreshDelegate))
  }

  // MARK: What is looked for

  /// What can be found here: nothing before there is a connection, then every kind of code that this machine's library reads,
  /// faces and people.
  ///
  /// - Note: Unlike AVFoundation, faces and people are there only where this machine has models of them; `obscura doctor` says
  ///   how to get them. Asking for the first time in a process then takes a few milliseconds.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureMetadataOutput.availableMetadataObjectTypes`.
  open var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] {
    observerTable.access(\AVCaptureMetadataOutput.availableMetadataObjectTypes)
    return connection(with: .metadataObject) == nil ? [] : AVMetadataObject.ObjectType.findable
  }

  /// Reports to observers that types can be found now, or none any more: each change, in order, on the queue of observations.
  private func reviewTypes() {
    let canFind = connection(with: .metadataObject) != nil
    let isChanged = state.withLock { state in
      defer { state.couldFind = canFind }
      return state.couldFind != canFind
    }
    guard isChanged, observerTable.count > 0 else { return }
    Self.observations.carry { [weak self] in
      guard let self else { return }
      let types = AVMetadataObject.ObjectType.findable
      observerTable.changed(
        \AVCaptureMetadataOutput.availableMetadataObjectTypes, of: self, from: canFind ? [] : types,
        to: canFind ? types : [])
    }
  }

  /// What is looked for; nothing at first, and each kind of code more costs more.
  ///
  /// Faces are found in two looks at every picture, each of some five milliseconds on one core; first they are loaded, on the
  /// output's own queue, in some twenty. A large face is found at once, a small one or one on its side some pictures later.
  /// People cost some twenty milliseconds each, up to three of them, so that frames may be skipped.
  /// Takes effect with the next frame, and stays when the camera is changed. A type that is not among
  /// ``availableMetadataObjectTypes`` is a programming mistake without effect, also before there is a connection.
  ///
  /// Apple: `AVCaptureMetadataOutput.metadataObjectTypes`.
  open var metadataObjectTypes: [AVMetadataObject.ObjectType]! {
    get { state.withLock { $0.types } }
    set {
      let types: [AVMetadataObject.ObjectType] = newValue ?? []
      let available = availableMetadataObjectTypes
      if let stranger = types.first(where: { !available.contains($0) }) {
        return ProgrammingMistake.report(
          rule: "metadataObjectTypes cannot hold \(stranger.rawValue), which is not among "
            + "availableMetadataObjectTypes; add the output to a session with a camera first, and ask.")
      }
      state.withLock { $0.types = types }
      renewSearch()
    }
  }

  /// The part of the picture whose objects are reported; all of it, (0, 0, 1, 1), at first.
  ///
  /// In the space of metadata objects' bounds: (0, 0) is the top left corner of the sensor's own picture. An object whose bounds
  /// intersect the rectangle is reported, also when it sticks out; others are not. A smaller rectangle costs less: codes are
  /// searched for in it and a little around it, and every sixth frame is searched whole for codes that stick out farther, so
  /// that of those the first report may come some frames later. Takes effect with the next frame. A rectangle with numbers that
  /// are not finite is a programming mistake without effect.
  ///
  /// Apple: `AVCaptureMetadataOutput.rectOfInterest`.
  open var rectOfInterest: CGRect {
    get { state.withLock { $0.rectOfInterest } }
    set {
      guard [newValue.origin.x, newValue.origin.y, newValue.width, newValue.height].allSatisfy(\.isFinite)
      else {
        return ProgrammingMistake.report(
          rule: "rectOfInterest takes finite numbers; convert a layer's rectangle after the layer has a size."
        )
      }
      state.withLock { $0.rectOfInterest = newValue }
      renewSearch()
    }
  }

  private func renewSearch() {
    let (types, rect) = state.withLock { ($0.types, $0.rectOfInterest) }
    recognition.setSearch(Recognition.Search(types: Set(types), rectOfInterest: rect))
  }

  // MARK: Session

  /// What became of every frame until now; `delivered` are those that were searched, and reported if there was anything.
  package var statistics: DeliveryStatistics { recognition.statistics }

  package override var requirements: OutputRequirements {
    OutputRequirements(role: .metadata, media: [.video])
  }

  package override func connectionsDidChange() {
    reviewTypes()
  }

  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    recognition.offer(sample, over: route)
  }

  package override func endCaptures(with error: AVError) {
    recognition.flush()
  }
}
