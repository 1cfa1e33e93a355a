internal import CaptureDevice
internal import Glibc
internal import Linux

/// Looks through a recording before the library does, which trusts what a file states.
///
/// An `.oni` file is a header and a chain of records, each with its sizes; the last one says that it is the last. What a record holds is not
/// looked at. Some thousand records take a millisecond. Source: `OniDataRecords.h` of OpenNI 2, versions 1.0.0.4 to 1.0.1.
enum RecordingCheck {
  private static let headerBytes = 24
  /// The part of a record's header that is read: the place of an older record follows, of 4 or 8 bytes.
  private static let recordBytes = 20
  /// `NIR`.
  private static let magic: UInt32 = 0x0052_494E
  private static let frameRecord: UInt32 = 0x0A
  private static let lastRecord: UInt32 = 0x0B
  private static let highestRecord: UInt32 = 0x0E
  /// The library's room: for fields, and for a frame of 1600×1200 in colours with what a coder may add to it.
  private static let greatestFields = 65536
  private static let greatestFrame = 1600 * 1200 * 3 + 4096

  /// - Throws: `invalidScene` with what is wrong.
  static func check(_ path: String) throws(CaptureDeviceError) {
    guard path.utf8.count < 256 else {
      throw CaptureDeviceError(
        .invalidScene,
        "The recording's path is longer than the 255 bytes that OpenNI reads; move it to a shorter one.")
    }
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw CaptureDeviceError(
        .invalidScene,
        "\(path) cannot be read (\(String(cString: strerror(errno)))); name a recording, an .oni file.")
    }
    let file = Descriptor(adopting: number)
    guard let header = read(file, at: 0, headerBytes), header.prefix(4).elementsEqual("NI10".utf8) else {
      throw CaptureDeviceError(.invalidScene, "\(path) is no recording of OpenNI; name an .oni file.")
    }
    guard isChained(file) else {
      throw CaptureDeviceError(
        .invalidScene,
        "\(path) is damaged or cut off: it does not go from its frames to its own end; record it anew.")
    }
  }

  /// Whether records follow each other to one that ends them, with frames among them.
  private static func isChained(_ file: Descriptor) -> Bool {
    var facts = stat()
    guard fstat(file.number, &facts) == 0 else { return false }
    var place = headerBytes
    var frames = 0
    while let record = read(file, at: place, recordBytes) {
      func word(_ index: Int) -> UInt32 {
        record.withUnsafeBytes {
          UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
      }
      let (kind, fields, payload) = (word(1), Int(word(3)), Int(word(4)))
      guard word(0) == magic, kind <= highestRecord, fields >= recordBytes + 4, fields <= greatestFields,
        payload <= greatestFrame
      else { return false }
      place += fields + payload
      guard place <= facts.st_size else { return false }
      if kind == frameRecord { frames += 1 }
      // A player of a file without frames never rests.
      if kind == lastRecord { return frames > 0 }
    }
    return false
  }

  private static func read(_ file: Descriptor, at place: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(file.number, &bytes, count, off_t(place)) == count ? bytes : nil
  }
}
