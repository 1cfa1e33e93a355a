internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The states of an export session, in steps of the world's time.
struct ExportStates: AsyncSequence, Sendable {
  typealias Element = AVAssetExportSession.State
  typealias Failure = Never

  let session: AVAssetExportSession
  let interval: TimeInterval

  struct AsyncIterator: AsyncIteratorProtocol {
    private let session: AVAssetExportSession
    private let interval: Interval
    private let progress = Progress(totalUnitCount: 1000)
    private var last: AVAssetExportSession.Status?

    init(_ session: AVAssetExportSession, _ interval: TimeInterval) {
      self.session = session
      self.interval = Interval(interval, session.news)
    }

    /// The next state; `nil` when the export has ended, or the task that asks was cancelled, without which the export goes on.
    mutating func next() async -> AVAssetExportSession.State? {
      while !Task.isCancelled {
        let seen = session.news.count
        let (status, share) = session.state.withLock { ($0.status, $0.progress) }
        // A state is new when the status is, or when the interval is over.
        let isNew = status != last || interval.isOver
        switch status {
        case .completed, .failed, .cancelled: return nil
        case .unknown where isNew, .waiting where isNew:
          begin(status)
          return status == .unknown ? .pending : .waiting
        case .exporting where isNew:
          begin(status)
          progress.completedUnitCount = Int64((share * 1000).rounded())
          return .exporting(progress: progress)
        default: await session.news.wait(after: seen)
        }
      }
      return nil
    }

    private mutating func begin(_ status: AVAssetExportSession.Status) {
      last = status
      interval.begin()
    }
  }

  /// The time from one state to the next.
  private final class Interval: Sendable {
    private let nanoseconds: Int64?
    private let over: Locked<Bool>
    private let timer: WorldTimer

    init(_ seconds: TimeInterval, _ news: ExportNews) {
      let over = Locked(false)
      nanoseconds = Int64(exactly: (seconds * 1e9).rounded())
      self.over = over
      timer = WorldTimer(on: DispatchQueue(label: "obscura.export-states")) {
        over.withLock { $0 = true }
        news.note()
      }
    }

    var isOver: Bool { over.withLock { $0 } }

    func begin() {
      over.withLock { $0 = false }
      // For ever where it has no end.
      if let nanoseconds { timer.set(afterNanoseconds: nanoseconds) }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session, interval) }
}
