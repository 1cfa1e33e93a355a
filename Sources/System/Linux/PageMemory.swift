internal import Glibc

/// Memory straight from the kernel: page-aligned, zero when new, given back when the last reference goes.
///
/// Pages become real only when they are first touched. C: `mmap(MAP_ANONYMOUS)`.
public final class PageMemory: @unchecked Sendable {  // Safe: a constant address.
  /// The bytes, valid as long as this object lives.
  public let bytes: UnsafeMutableRawBufferPointer

  /// Reserves `byteCount` zero bytes, rounded up to whole pages.
  ///
  /// - Throws: ``SystemError`` when the kernel has no room.
  public init(byteCount: Int) throws(SystemError) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let (sum, overflow) = max(byteCount, 1).addingReportingOverflow(page - 1)
    let size = sum / page * page
    let address =
      overflow
      ? nil : mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address, address != MAP_FAILED else {
      throw SystemError("reserve \(byteCount) bytes of memory", errno: ENOMEM)
    }
    // A twelve-megapixel picture is 4500 small pages; faulting them in one by one costs more than writing the pixels.
    // The kernel may decline, and then the pages are small.
    if size >= 1 << 22 { madvise(address, size, MADV_HUGEPAGE) }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  deinit {
    munmap(bytes.baseAddress, bytes.count)
  }
}
