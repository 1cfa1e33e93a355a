internal import Glibc
internal import Linux

/// Waits until the kernel has taken an unplugged camera away, so that its node is not closed meanwhile.
///
/// A driver first reports to its readers that the device is gone and then takes down its media device. The last close of the node
/// takes the node's part out of that media device as well, without the lock under which the driver walks its list: a program
/// that closes at once after the report may send the kernel to freed memory, and everything on that USB controller
/// stands still. So the node stays open until the media device has left sysfs, which is its end; some milliseconds. Cameras
/// without a media device have no such list.
///
/// Source: `media_devnode_remove` and `__media_device_unregister_entity` in `drivers/media/mc` of Linux 6.1; later kernels are
/// alike.
struct DeviceRemoval: Sendable {
  /// The timeout of the kernel; less than a stop waits for the reader thread, which waits for this.
  static let timeoutNanoseconds: Int64 = 500_000_000

  private let kernel: any VideoKernel
  private let mediaFolder: String

  /// The removal of the device whose node is at `path`, which is there now; `nil` where there is nothing to wait for.
  init?(_ kernel: any VideoKernel, ofDeviceAt path: String) {
    guard let folder = kernel.mediaFolder(of: path) else { return nil }
    self.kernel = kernel
    mediaFolder = folder
  }

  /// When a timeout that begins now has passed; one for all nodes of a camera, which go at the same time.
  static var limit: MonotonicInstant { .now.advanced(byNanoseconds: timeoutNanoseconds) }

  /// Returns when the media device is gone, or at `limit`; blocks.
  func wait(until limit: MonotonicInstant) {
    while kernel.hasFolder(mediaFolder), MonotonicInstant.now < limit { usleep(2000) }
  }
}
