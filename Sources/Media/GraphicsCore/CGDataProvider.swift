public import Foundation
public import FoundationExtras

/// The function that a ``CGDataProvider`` calls when its memory is not needed any more.
public typealias CGDataProviderReleaseDataCallback = (
  UnsafeMutableRawPointer?, UnsafeRawPointer, Int
) -> Void

/// The provider of an image's bytes.
///
/// Immutable and thread-safe. Memory handed in by pointer is neither copied nor freed before the last image over it is
/// gone.
public final class CGDataProvider: @unchecked Sendable {  // Safe because every property is constant.
  /// The bytes, without a copy where they are already in memory.
  public let data: CFData?
  /// The pointer that the client handed in beside its memory.
  public let info: UnsafeMutableRawPointer?

  /// A provider of these bytes; shares them.
  public init?(data: CFData) {
    self.data = data
    info = nil
  }

  /// A provider of a file's bytes, read at once; `nil` when it cannot be read, is no regular file, or has over 256 MB.
  public init?(url: CFURL) {
    guard let data = InputFile.contents(of: url) else { return nil }
    self.data = data
    info = nil
  }

  /// A provider of the bytes of the file at this path; `nil` when it cannot be read.
  public convenience init?(filename: UnsafePointer<CChar>) {
    self.init(url: URL(fileURLWithPath: String(cString: filename)))
  }

  /// A provider of memory that the client owns and keeps unchanged.
  ///
  /// - Parameters:
  ///   - info: Handed back to `releaseData`.
  ///   - data: The memory.
  ///   - size: Its length in bytes.
  ///   - releaseData: Called exactly once, on whatever thread drops the last reference.
  public init?(
    dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
    releaseData: @escaping CGDataProviderReleaseDataCallback
  ) {
    guard size >= 0 else { return nil }
    self.info = info
    let memory = UnsafeMutableRawPointer(mutating: data)
    nonisolated(unsafe) let context = info  // Safe because only the client's callback looks behind it.
    nonisolated(unsafe) let release = releaseData  // Safe because it is called once, from one thread.
    self.data = Data(
      bytesNoCopy: memory, count: size,
      deallocator: .custom { memory, size in release(context, memory, size) })
  }
}
