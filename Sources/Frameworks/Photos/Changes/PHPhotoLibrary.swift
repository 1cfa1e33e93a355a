internal import Foundation
internal import FoundationExtras
internal import Linux

/// The user's photo library: a folder of files, and a catalogue of them.
///
/// Thread-safe. Apple: `PHPhotoLibrary`.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {  // Safe because what changes is under locks.
  private static let library = PHPhotoLibrary()
  package let observers = LibraryObservers()
  /// Changes of one program are made one after the other.
  private let changes = DispatchQueue(label: "obscura.photo-library.changes")

  override init() {}

  /// The library that the environment names: `$OBSCURA_LIBRARY`, or `Obscura` in the user's pictures folder.
  open class func shared() -> PHPhotoLibrary { library }

  /// The library on disk, watched by the observers.
  func store() throws(PHPhotosError) -> LibraryStore {
    let store = try SharedLibrary.store()
    observers.attach(store)
    return store
  }

  /// Why the library cannot be used now; `nil` when it can.
  open var unavailabilityReason: (any Error)? {
    do throws(PHPhotosError) {
      _ = try store()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Rights

  /// What the program may do with the library; as ``authorizationStatus(for:)`` for reading and writing.
  open class func authorizationStatus() -> PHAuthorizationStatus { authorizationStatus(for: .readWrite) }

  /// What the program may do with the library: what the rights of its folder allow.
  ///
  /// - Note: Unlike AVFoundation's relatives on Apple's platforms, it is never `notDetermined` or `limited`: no user is asked.
  open class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    do throws(PHPhotosError) {
      let store = try library.store()
      // A full disk is no question of rights.
      return store.isWritable || store.lacksSpace ? .authorized : .denied
    } catch {
      return error.code == .accessRestricted || error.code == .accessUserDenied ? .denied : .restricted
    }
  }

  /// Calls `handler` with the status, on a queue of the library.
  open class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
    requestAuthorization(for: .readWrite, handler: handler)
  }

  /// Calls `handler` with the status, on a queue of the library.
  open class func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    library.observers.queue.carry { handler(authorizationStatus(for: accessLevel)) }
  }

  /// The status.
  open class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
    await withCheckedContinuation { continuation in
      requestAuthorization(for: accessLevel) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Changes

  /// Runs `changeBlock` on a queue of the library and keeps all that its requests want, or nothing.
  ///
  /// - Parameter completionHandler: Called on a queue of the library, after the observers; the error is a ``PHPhotosError``.
  open func performChanges(
    _ changeBlock: @escaping @Sendable () -> Void,
    completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    changes.carry {
      let error = self.perform(changeBlock)
      self.observers.queue.carry { completionHandler?(error == nil, error) }
    }
  }

  /// Runs `changeBlock` on a queue of the library and keeps all that its requests want, or nothing.
  ///
  /// - Throws: ``PHPhotosError``.
  open func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      performChanges(changeBlock) { isDone, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Runs `changeBlock` on the calling thread and keeps all that its requests want, or nothing; blocks until that is done.
  ///
  /// - Throws: ``PHPhotosError``.
  open func performChangesAndWait(_ changeBlock: () -> Void) throws {
    if let error = perform(changeBlock) { throw error }
  }

  private func perform(_ changeBlock: () -> Void) -> PHPhotosError? {
    do throws(PHPhotosError) {
      try ChangeBlock.perform(changeBlock, store())
      return nil
    } catch {
      return error
    }
  }

  // MARK: Observers

  /// Calls an observer after each change from now on; the library does not keep it.
  open func register(_ observer: any PHPhotoLibraryChangeObserver) {
    observers.add(observer)
    // The changes of other programs are seen only in a library that is open.
    _ = try? store()
  }

  /// Ends the calls of an observer.
  open func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    observers.remove(observer)
  }
}
