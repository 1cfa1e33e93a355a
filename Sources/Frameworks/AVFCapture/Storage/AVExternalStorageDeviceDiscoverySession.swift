public import Foundation
public import FoundationExtras
package import Linux

/// The disks that can be unplugged and are mounted now.
///
/// Desktops mount them when they are plugged in; what is not mounted is not seen. Thread-safe. Observable: `externalStorageDevices`, on a
/// thread of the library's.
///
/// Source: [AVExternalStorageDeviceDiscoverySession](https://developer.apple.com/documentation/avfoundation/avexternalstoragedevicediscoverysession).
public final class AVExternalStorageDeviceDiscoverySession: NSObject, KeyValueObservable, @unchecked Sendable
{
  // Safe because what changes is under a lock.

  /// Who observes its properties.
  public let observerTable = ObserverTable()
  private let disks: MountedDisks
  private let present = Locked<[AVExternalStorageDevice]>([])
  /// Held while the list is read, so that two changes are told in order.
  private let reading = Lock()
  private let watch = Locked<MountWatch?>(nil)

  /// The one session; it watches from the first time that it is asked for on.
  ///
  /// Apple: `AVExternalStorageDeviceDiscoverySession.shared`.
  public class var shared: AVExternalStorageDeviceDiscoverySession? { one }

  private static let one: AVExternalStorageDeviceDiscoverySession = {
    let session = AVExternalStorageDeviceDiscoverySession(MountedDisks())
    let watch = try? MountWatch { [weak session] in session?.look() }
    session.watch.withLock { $0 = watch }
    return session
  }()

  package init(_ disks: MountedDisks) {
    self.disks = disks
    super.init()
    present.withLock { $0 = disks.all().map { AVExternalStorageDevice($0) } }
  }

  /// Whether such disks can be used: yes.
  ///
  /// Apple: `AVExternalStorageDeviceDiscoverySession.isSupported`.
  public class var isSupported: Bool { true }

  /// Them, in the order in which they were mounted; the same object for as long as a disk is mounted.
  ///
  /// Apple: `AVExternalStorageDeviceDiscoverySession.externalStorageDevices`.
  public var externalStorageDevices: [AVExternalStorageDevice] {
    observerTable.access(\AVExternalStorageDeviceDiscoverySession.externalStorageDevices)
    return present.withLock { $0 }
  }

  /// Reads the list again, and tells what has changed.
  package func look() {
    let (old, new) = reading.withLock {
      let old = present.withLock { $0 }
      let new = disks.all().map { disk in old.first { $0.disk == disk } ?? AVExternalStorageDevice(disk) }
      present.withLock { $0 = new }
      return (old, new)
    }
    guard old != new else { return }
    for device in old where !new.contains(device) { device.wasUnplugged() }
    observerTable.changed(
      \AVExternalStorageDeviceDiscoverySession.externalStorageDevices, of: self, from: old, to: new)
  }
}
