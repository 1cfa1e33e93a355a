internal import Glibc
internal import Linux

/// Finds a fragment's header at which a file breaks off: what a copy that was interrupted leaves, and what libavformat refuses
/// together with all that is before it.
enum FragmentScan {
  /// The end of a file that breaks off inside a `moof`, without that box; `nil` for all others.
  static func end(of path: String) -> Int? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(adopting: number)
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let size = Int(status.st_size)
    var hasHeader = false
    for box in TopBoxes(descriptor) {
      if box.place == 0, box.type != "ftyp" { return nil }
      if box.type == "moov" { hasHeader = true }
      if box.size > size - box.place { return box.type == "moof" && hasHeader ? box.place : nil }
    }
    return nil
  }
}
