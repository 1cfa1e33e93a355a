internal import Glibc

/// A call by which this process changes files or the names in folders; paths and bytes are valid during the call alone.
package enum DiskCall {
  /// Opens a file for writing, or makes one.
  case open(UnsafePointer<CChar>, flags: Int32, mode: UInt32)
  /// Writes where the descriptor stands.
  case write(Int32, UnsafeRawBufferPointer)
  /// Writes at a place.
  case writeAt(Int32, UnsafeRawBufferPointer, Int)
  /// Waits until a file, or a folder's names, are on the disk.
  case sync(Int32)
  /// Waits until a file's bytes are on the disk, and its size.
  case syncBytes(Int32)
  /// Sets a file's size.
  case truncate(Int32, Int)
  /// Gives an open file without a name one.
  case name(Int32, UnsafePointer<CChar>)
  /// Gives a file a second name.
  case link(UnsafePointer<CChar>, UnsafePointer<CChar>)
  /// Gives a file another name, over what has it.
  case rename(UnsafePointer<CChar>, UnsafePointer<CChar>)
  /// Takes a name away.
  case unlink(UnsafePointer<CChar>)
  /// Makes a folder.
  case makeFolder(UnsafePointer<CChar>, mode: UInt32)
  /// Removes an empty folder.
  case removeFolder(UnsafePointer<CChar>)
  /// Sets an open file's permissions.
  case permissions(Int32, UInt32)
  /// Sets an open file's times to now.
  case touch(Int32)
  /// Closes a file that was written.
  case close(Int32)
  /// A call that a library makes by itself, right after this one is answered with 0.
  case announced(Announcement)

  /// A call of SQLite, which has descriptors of its own.
  package struct Announcement {
    /// The change of the file.
    package enum Kind: Int32 { case open, write, sync, truncate, unlink }

    /// The call.
    package var kind: Kind
    /// The file.
    package var path: UnsafePointer<CChar>
    /// What is written.
    package var bytes: UnsafeRawBufferPointer
    /// Where it is written, or the new size; of a removal 1 where the folder is synced with it.
    package var place: Int

    /// A call.
    package init(kind: Kind, path: UnsafePointer<CChar>, bytes: UnsafeRawBufferPointer, place: Int) {
      self.kind = kind
      self.path = path
      self.bytes = bytes
      self.place = place
    }
  }

  /// Makes the call; as C: the result, or -1 and the reason in `errno`.
  package func perform() -> Int {
    switch self {
    case .open(let path, let flags, let mode): Int(Glibc.open(path, flags, mode))
    case .write(let number, let bytes): Glibc.write(number, bytes.baseAddress, bytes.count)
    case .writeAt(let number, let bytes, let place):
      Glibc.pwrite(number, bytes.baseAddress, bytes.count, off_t(place))
    case .sync(let number): Int(Glibc.fsync(number))
    case .syncBytes(let number): Int(Glibc.fdatasync(number))
    case .truncate(let number, let size): Int(Glibc.ftruncate(number, off_t(size)))
    case .name(let number, let path):
      Int(linkat(AT_FDCWD, "/proc/self/fd/\(number)", AT_FDCWD, path, Int32(AT_SYMLINK_FOLLOW)))
    case .link(let old, let new): Int(Glibc.link(old, new))
    case .rename(let old, let new): Int(Glibc.rename(old, new))
    case .unlink(let path): Int(Glibc.unlink(path))
    case .makeFolder(let path, let mode): Int(Glibc.mkdir(path, mode))
    case .removeFolder(let path): Int(Glibc.rmdir(path))
    case .permissions(let number, let mode): Int(Glibc.fchmod(number, mode))
    case .touch(let number): Int(Glibc.futimens(number, nil))
    case .close(let number): Int(Glibc.close(number))
    case .announced: 0
    }
  }
}
