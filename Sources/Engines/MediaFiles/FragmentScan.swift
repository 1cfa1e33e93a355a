internal import Glibc
internal import Linux

/// Finds a fragment's header at which a file breaks off: what a copy that was interrupted leaves, and what libavformat refuses
/// together with all that is before it.
enum FragmentScan {
  /// Where a file ends that breaks off inside a `moof`, without that; `nil` for all others.
  static func end(of path: String) -> Int? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(adopting: number)
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let size = Int(status.st_size)
    var place = 0
    var hasHeader = false
    // A fragment a second for a week has fewer boxes.
    for _ in 0..<2_000_000 {
      guard let box = header(descriptor.number, at: place), box.size >= 8 else { return nil }
      if place == 0, box.type != "ftyp" { return nil }
      if box.type == "moov" { hasHeader = true }
      if place + box.size > size { return box.type == "moof" && hasHeader ? place : nil }
      place += box.size
      if place == size { return nil }
    }
    return nil
  }

  private static func header(_ number: Int32, at place: Int) -> (size: Int, type: String)? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(number, &bytes, 16, off_t(place))
    guard count >= 8 else { return nil }
    func value(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
    let type = String(decoding: bytes[4..<8], as: UTF8.self)
    let size = value(0..<4)
    guard size == 1 else { return (size, type) }
    guard count == 16, bytes[8] < 0x40 else { return nil }
    return (value(8..<16), type)
  }
}
