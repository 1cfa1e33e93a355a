internal import Foundation
internal import FoundationExtras
internal import Linux

/// The states of an export session, in steps of time.
struct ExportStates: AsyncSequence, Sendable {
  typealias Element = AVAssetExportSession.State
  typealias Failure = Never

  let session: AVAssetExportSession
  let interval: TimeInterval

  struct AsyncIterator: AsyncIteratorProtocol {
    let session: AVAssetExportSession
    let interval: TimeInterval
    private let progress = Progress(totalUnitCount: 1000)
    private var last: (status: AVAssetExportSession.Status, time: Double)?

    init(_ session: AVAssetExportSession, _ interval: TimeInterval) {
      self.session = session
      self.interval = interval
    }

    /// The next state; `nil` when the export has ended.
    mutating func next() async -> AVAssetExportSession.State? {
      // A state is new when the status is, or when the interval is over.
      while !Task.isCancelled {
        let now = session.state.withLock { ($0.status, $0.progress) }
        let time = ProcessInfo.processInfo.systemUptime
        let isNew = last.map { $0.status != now.0 || time - $0.time >= interval } ?? true
        switch now.0 {
        case .completed, .failed, .cancelled: return nil
        case .unknown where isNew, .waiting where isNew:
          last = (now.0, time)
          return now.0 == .unknown ? .pending : .waiting
        case .exporting where isNew:
          last = (now.0, time)
          progress.completedUnitCount = Int64((now.1 * 1000).rounded())
          return .exporting(progress: progress)
        default:
          do {
            try await Task.sleep(nanoseconds: 5_000_000)
          } catch {
            // The task that asks was cancelled; the export goes on.
            return nil
          }
        }
      }
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session, interval) }
}
