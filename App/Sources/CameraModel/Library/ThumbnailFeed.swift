import Dispatch
import Foundation
import Photos

/// A small picture of the library, and whether the photo is finished.
package struct LibraryThumbnail: Sendable {
  package var picture: Thumbnail
  package var isUnfinished: Bool
}

/// Makes small pictures of what is in view: what was asked for last comes first, and what is no longer wanted is not made.
@MainActor
package final class ThumbnailFeed {
  /// Names a request, to cancel it.
  package typealias Request = Int

  private struct Want {
    var request: Request
    var item: LibraryItem
    var side: Int
    var handler: @MainActor (LibraryThumbnail?) -> Void
  }

  private struct Key: Hashable {
    var id: String
    var modified: Date?
    var side: Int
  }

  /// Bytes of pictures that are kept.
  static let keptBytes = 48 << 20

  private let most: Int
  private let manager = PHCachingImageManager()
  private let queue = DispatchQueue(
    label: "camera.thumbnails", qos: .userInitiated, attributes: .concurrent)
  private var wants: [Want] = []
  private var working: [Request: Want] = [:]
  private var last = 0
  private var kept: [Key: LibraryThumbnail] = [:]
  /// The keys by their last use.
  private var order: [Key] = []
  private var bytes = 0
  /// Pictures that were made and not found among those that are kept.
  package private(set) var made = 0

  /// Pictures that are wanted and not there yet.
  package var waiting: Int { wants.count + working.count }

  /// Makes at most so many pictures at once: as many as leave a processor to the screen.
  init(most: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) {
    self.most = most
  }

  /// Asks for a picture of at least `side` pixels on its longer side; `handler` gets it at once where it is kept.
  @discardableResult
  package func request(
    _ item: LibraryItem, side: Int, _ handler: @escaping @MainActor (LibraryThumbnail?) -> Void
  ) -> Request {
    last += 1
    let key = Key(id: item.id, modified: item.modified, side: side)
    if let known = kept[key] {
      touch(key)
      handler(known)
      return last
    }
    wants.append(Want(request: last, item: item, side: side, handler: handler))
    work()
    return last
  }

  /// Ends a request; its handler is not called any more.
  package func cancel(_ request: Request) {
    working[request]?.handler = { _ in }
    wants.removeAll { $0.request == request }
  }

  /// Forgets all pictures.
  package func forget() {
    kept = [:]
    order = []
    bytes = 0
  }

  private func work() {
    while working.count < most, let want = wants.popLast() {
      working[want.request] = want
      let (manager, item, side, request) = (manager, want.item, want.side, want.request)
      queue.async {
        let asset = LibraryAccess.asset(item.id)
        let isUnfinished = asset.map(LibraryAccess.isUnfinished) ?? false
        let picture = asset.flatMap {
          LibraryAccess.picture(of: $0, longerSide: side, manager: manager)
        }
        DispatchQueue.main.async {
          MainActor.assumeIsolated {
            self.end(request, picture.map { LibraryThumbnail(picture: $0, isUnfinished: isUnfinished) })
          }
        }
      }
    }
  }

  private func end(_ request: Request, _ result: LibraryThumbnail?) {
    guard let want = working.removeValue(forKey: request) else { return }
    made += 1
    // A photo that is finished soon is another picture then, under the same date of change.
    if let result, !result.isUnfinished {
      keep(result, Key(id: want.item.id, modified: want.item.modified, side: want.side))
    }
    want.handler(result)
    work()
  }

  private func keep(_ thumbnail: LibraryThumbnail, _ key: Key) {
    if kept.updateValue(thumbnail, forKey: key) == nil {
      order.append(key)
      bytes += thumbnail.picture.bytes.count
    }
    while bytes > Self.keptBytes, order.count > 1 {
      let oldest = order.removeFirst()
      bytes -= kept.removeValue(forKey: oldest)?.picture.bytes.count ?? 0
    }
  }

  private func touch(_ key: Key) {
    guard order.last != key, let index = order.firstIndex(of: key) else { return }
    order.remove(at: index)
    order.append(key)
  }
}
