package import AVFoundation
package import Linux
import Testing
import Waiting

/// Writes down the collections.
package final class SynchronizedCollections: AVCaptureDataOutputSynchronizerDelegate, Sendable {
  package let list = Monitor<[AVCaptureSynchronizedDataCollection]>([])

  package init() {}

  package func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
  ) {
    list.withLock { $0.append(synchronizedDataCollection) }
  }

  package var count: Int { list.withLock { $0.count } }

  /// Waits for so many and no more; they.
  package func wait(for count: Int) throws -> [AVCaptureSynchronizedDataCollection] {
    try #require(list.wait { $0.count >= count })
    #expect(self.count == count)
    return list.withLock { $0 }
  }
}
