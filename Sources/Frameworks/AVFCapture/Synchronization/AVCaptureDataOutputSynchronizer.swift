internal import AVFCore
public import Dispatch
public import Foundation
internal import FoundationExtras
internal import Linux

/// Hands on what several outputs of a session capture, moment by moment.
///
/// The first of the outputs leads: each of its data comes in one collection with those of the other outputs that are of the same
/// moment. It waits until every other output has delivered something as new, or until it is three data ahead: an output that
/// has nothing to say, as one for metadata where nothing is recognised, holds up the others no longer. Of the same moment is
/// what one sensor captured at one time; of sensors with clocks of their own what is nearest, within half the leader's
/// interval. What an output captured apart from the leader's moments is not handed on.
///
/// While it has a delegate, the synchronizer is itself the delegate of the outputs, in place of others. Thread-safe.
///
/// Source:
/// [AVCaptureDataOutputSynchronizer](https://developer.apple.com/documentation/avfoundation/avcapturedataoutputsynchronizer).
public final class AVCaptureDataOutputSynchronizer: NSObject, @unchecked Sendable {
  // Safe because what changes is under `state`.

  private struct State {
    var recipient: Recipient<any AVCaptureDataOutputSynchronizerDelegate>?
    /// Takes what the outputs deliver; the outputs do not retain it.
    var collector: SynchronizerCollector?
  }

  /// What is synchronized; the first leads.
  ///
  /// Apple: `AVCaptureDataOutputSynchronizer.dataOutputs`.
  public let dataOutputs: [AVCaptureOutput]
  private let state = Locked(State())

  /// A synchronizer of outputs for video, audio, depth or metadata, none of them twice; else it is a programming mistake, and
  /// what cannot be synchronized is left out.
  ///
  /// - Parameter dataOutputs: At least one; the first leads.
  ///
  /// Apple: `AVCaptureDataOutputSynchronizer.init(dataOutputs:)`.
  public init(dataOutputs: [AVCaptureOutput]) {
    var usable: [AVCaptureOutput] = []
    for output in dataOutputs where SynchronizerCollector.canSynchronize(output) {
      if !usable.contains(where: { $0 === output }) { usable.append(output) }
    }
    self.dataOutputs = usable
    super.init()
    guard usable.isEmpty || usable.count != dataOutputs.count else { return }
    ProgrammingMistake.report(
      rule:
        "A synchronizer takes data outputs for video, audio, depth and metadata, at least one and none twice."
    )
  }

  deinit {
    detach(state.withLock { $0.collector })
  }

  /// Who gets the collections; `nil` without a delegate, or when it is gone.
  ///
  /// Apple: `AVCaptureDataOutputSynchronizer.delegate`.
  public var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? {
    state.withLock { $0.recipient }?.delegate
  }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVCaptureDataOutputSynchronizer.delegateCallbackQueue`.
  public var delegateCallbackQueue: DispatchQueue? {
    state.withLock { $0.recipient }?.queue
  }

  /// Sets who gets the collections, and where; the outputs' own delegates are replaced.
  ///
  /// The delegate is not retained. What was captured before is not handed to it. With `nil` the outputs have no delegates.
  ///
  /// - Parameters:
  ///   - delegate: The delegate, or `nil` to get nothing.
  ///   - delegateCallbackQueue: A serial queue; `nil` only together with a `nil` delegate.
  ///
  /// Apple: `AVCaptureDataOutputSynchronizer.setDelegate(_:queue:)`.
  public func setDelegate(
    _ delegate: (any AVCaptureDataOutputSynchronizerDelegate)?, queue delegateCallbackQueue: DispatchQueue?
  ) {
    guard
      let recipient = Recipient(delegate, on: delegateCallbackQueue, weakly: { [weak delegate] in delegate })
    else { return }
    let now = state.withLock { $0 }
    if let former = now.recipient, former.serves(delegate, on: delegateCallbackQueue) {
      // What is set already changes nothing, but takes back outputs that got other delegates meanwhile.
      now.collector?.attach()
      return
    }
    var collector: SynchronizerCollector?
    if delegate != nil, let queue = recipient.queue {
      collector = SynchronizerCollector(dataOutputs, on: queue) { [weak self] collection in
        guard let self, let delegate = recipient.delegate else { return }
        delegate.dataOutputSynchronizer(self, didOutput: collection)
      }
    }
    // The old ones go after the lock is left.
    let old = state.withLock { state in
      defer { state = State(recipient: recipient, collector: collector) }
      return state
    }
    if let collector { collector.attach() } else { detach(old.collector) }
    withExtendedLifetime(old) {}
  }

  private func detach(_ collector: SynchronizerCollector?) {
    collector?.detach()
  }
}

/// Gets what an `AVCaptureDataOutputSynchronizer` has brought together.
///
/// Source:
/// [AVCaptureDataOutputSynchronizerDelegate](https://developer.apple.com/documentation/avfoundation/avcapturedataoutputsynchronizerdelegate).
public protocol AVCaptureDataOutputSynchronizerDelegate: AnyObject {
  /// A moment: the leading output's data, and those of the others that have some; on the queue given to
  /// `setDelegate(_:queue:)`, in the order of capture.
  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}
