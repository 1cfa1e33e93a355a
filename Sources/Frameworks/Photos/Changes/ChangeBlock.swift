internal import Foundation
internal import FoundationExtras
internal import Linux

/// One operation in a block of changes.
protocol ChangeOperation: AnyObject {
  /// Reads and writes files, before anything is locked.
  func stage(_ store: LibraryStore) throws(PHPhotosError)
  /// Changes the catalogue.
  func apply(_ transaction: LibraryTransaction) throws(PHPhotosError)
  /// Ends it, one way or the other.
  func end(_ store: LibraryStore, _ outcome: ChangeOutcome)
}

/// The outcome of a block of changes for the catalogue.
enum ChangeOutcome {
  /// The catalogue has it, or not.
  case committed, refused
  /// The disk failed in the very commit: the catalogue may have it when it is opened next.
  case unknown
}

/// A client's block of changes: its operations, in the order of the requests.
package final class ChangeBlock: @unchecked Sendable {  // Safe: only the block's thread touches it.
  @TaskLocal static var current: ChangeBlock?

  private var operations: [any ChangeOperation] = []

  /// Adds an operation to the block that the calling thread runs; outside of one it is a programming mistake.
  static func add(_ operation: any ChangeOperation) {
    guard let current else {
      ProgrammingMistake.report(
        rule:
          "A change request was made outside of a block of changes; make it in PHPhotoLibrary.performChanges."
      )
      return
    }
    current.operations.append(operation)
  }

  static func add(_ change: @escaping (LibraryTransaction) throws(PHPhotosError) -> Void) {
    add(CatalogueChange(change))
  }

  /// Runs `block` and commits what it wants: all, or nothing.
  package static func perform(_ block: () -> Void, _ store: LibraryStore) throws(PHPhotosError) {
    guard current == nil else {
      ProgrammingMistake.report(
        rule: "performChanges was called inside of a block of changes; make all requests in one block.")
      throw PHPhotosError(
        .changeNotSupported, because: "Blocks of changes cannot be nested; make all requests in one.")
    }
    let changes = ChangeBlock()
    $current.withValue(changes) { block() }
    var outcome = ChangeOutcome.refused
    defer { for operation in changes.operations { operation.end(store, outcome) } }
    guard !changes.operations.isEmpty else { return }
    for operation in changes.operations { try operation.stage(store) }
    do throws(PHPhotosError) {
      try store.write { transaction throws(PHPhotosError) in
        for operation in changes.operations { try operation.apply(transaction) }
      }
      outcome = .committed
    } catch {
      if error.leavesChangeOpen { outcome = .unknown }
      throw error
    }
  }
}

/// A change of the catalogue alone.
private final class CatalogueChange: ChangeOperation {
  private let change: (LibraryTransaction) throws(PHPhotosError) -> Void

  init(_ change: @escaping (LibraryTransaction) throws(PHPhotosError) -> Void) {
    self.change = change
  }

  func stage(_ store: LibraryStore) throws(PHPhotosError) {}
  func apply(_ transaction: LibraryTransaction) throws(PHPhotosError) { try change(transaction) }
  func end(_ store: LibraryStore, _ outcome: ChangeOutcome) {}
}
