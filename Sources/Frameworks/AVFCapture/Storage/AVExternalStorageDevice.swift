public import Foundation
public import FoundationExtras
internal import AVFCore
internal import Linux

/// A disk, stick or card that can be unplugged, and that movies and photos can be written to.
///
/// Thread-safe. Observable: `isConnected`, on a thread of the library's.
///
/// Source: [AVExternalStorageDevice](https://developer.apple.com/documentation/avfoundation/avexternalstoragedevice).
public final class AVExternalStorageDevice: NSObject, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// Who observes its properties.
  public let observerTable = ObserverTable()
  let disk: MountedDisk
  private let isPresent = Locked(true)

  init(_ disk: MountedDisk) {
    self.disk = disk
    super.init()
  }

  /// The name that people gave it, else that of the folder where it is mounted.
  ///
  /// Apple: `AVExternalStorageDevice.displayName`.
  public var displayName: String? { disk.label ?? (disk.folder as NSString).lastPathComponent }

  /// How many bytes can be written to it; 0 once it is unplugged.
  ///
  /// Apple: `AVExternalStorageDevice.freeSize`.
  public var freeSize: Int { size(.systemFreeSize) }

  /// How many bytes it holds; 0 once it is unplugged.
  ///
  /// Apple: `AVExternalStorageDevice.totalSize`.
  public var totalSize: Int { size(.systemSize) }

  private func size(_ key: FileAttributeKey) -> Int {
    guard isConnected else { return 0 }
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: disk.folder)
    return (facts?[key] as? NSNumber)?.intValue ?? 0
  }

  /// Whether it is plugged in and mounted; once `false` it stays so: what is plugged in again is another object.
  ///
  /// Apple: `AVExternalStorageDevice.isConnected`.
  public var isConnected: Bool {
    observerTable.access(\AVExternalStorageDevice.isConnected)
    return isPresent.withLock { $0 }
  }

  func wasUnplugged() {
    let wasPresent = isPresent.withLock { isPresent in
      defer { isPresent = false }
      return isPresent
    }
    guard wasPresent else { return }
    observerTable.changed(\AVExternalStorageDevice.isConnected, of: self, from: true, to: false)
  }

  /// Its own identifier; `nil` for file systems whose identifiers are no UUIDs: FAT and exFAT have eight digits.
  ///
  /// Apple: `AVExternalStorageDevice.uuid`.
  public var uuid: UUID? { disk.identifier.flatMap { UUID(uuidString: $0) } }

  /// Whether recording to it is likely to fail: it is mounted to be read alone, or its file system holds no file of four gigabytes (FAT).
  ///
  /// Apple: `AVExternalStorageDevice.isNotRecommendedForCaptureUse`.
  public var isNotRecommendedForCaptureUse: Bool {
    disk.isReadOnly || ["vfat", "msdos"].contains(disk.fileSystem)
  }

  /// Places for new files that belong together: of one name, as cameras number them, with each of the extensions.
  ///
  /// In `DCIM/100OBSCU`, which is made where it is missing: `IMG_0001.MOV`. Once a folder's 9999 names are used up, the next one is made. A
  /// name is free when no file has it with any extension, and stays free until one is written.
  ///
  /// - Parameter extensionArray: With or without a dot.
  /// - Returns: As many, in the order of the extensions.
  /// - Throws: ``AVError``: `deviceNotConnected` once it is unplugged, `diskFull` when all names are used up, else `unknown` with the reason
  ///   why the folder cannot be made.
  ///
  /// Apple: `AVExternalStorageDevice.nextAvailableURLs(withPathExtensions:)`.
  public func nextAvailableURLs(withPathExtensions extensionArray: [String]) throws -> [URL] {
    guard isConnected else {
      let name = displayName ?? "the disk"
      throw AVError(
        .deviceNotConnected, because: "There is no place on \(name): it is not connected.")
    }
    let base = try CameraFolders(root: URL(fileURLWithPath: disk.folder, isDirectory: true)).nextName()
    return extensionArray.map { base.appendingPathExtension($0.hasPrefix(".") ? String($0.dropFirst()) : $0) }
  }

  /// Whether this program may use such disks: always, a folder's own rights say the rest.
  ///
  /// Apple: `AVExternalStorageDevice.authorizationStatus`.
  public class var authorizationStatus: AVAuthorizationStatus { .authorized }

  /// Asks whether this program may use such disks; `handler` gets `true`, on a queue of its own.
  ///
  /// Apple: `AVExternalStorageDevice.requestAccess(completionHandler:)`.
  public class func requestAccess(completionHandler handler: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.global().async { handler(true) }
  }
}
