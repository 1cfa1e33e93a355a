internal import CoreMedia
internal import Foundation
internal import Glibc
internal import Linux
internal import MediaFiles

/// The kinds of files that hold uncompressed audio.
enum PCMFileKind {
  /// Microsoft's: `.wav`.
  case wave
  /// Apple's: `.caf`.
  case coreAudio

  /// The kind of an extension.
  init?(extension name: String) {
    switch name.lowercased() {
    case "wav", "wave": self = .wave
    case "caf": self = .coreAudio
    default: return nil
    }
  }

  /// Why a format cannot be written; `nil` when it can.
  func refusal(of basic: AudioStreamBasicDescription) -> String? {
    guard basic.mFormatID == kAudioFormatLinearPCM else {
      return "Files of this type are written with linear PCM only; choose .m4a for AAC."
    }
    let isFloat = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0
    guard isFloat ? [32, 64].contains(basic.mBitsPerChannel) : [16, 24, 32].contains(basic.mBitsPerChannel)
    else {
      return "Samples have 16, 24 or 32 bits, or are floating-point numbers of 32 or 64 bits."
    }
    guard self == .coreAudio || basic.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 else {
      return "Samples in a .wav file are little-endian."
    }
    return nil
  }

  /// What comes before the samples of so many bytes.
  func header(_ basic: AudioStreamBasicDescription, bytes: Int) -> Data {
    switch self {
    case .wave: waveHeader(basic, bytes: bytes)
    case .coreAudio: coreAudioHeader(basic, bytes: bytes)
    }
  }

  private func waveHeader(_ basic: AudioStreamBasicDescription, bytes: Int) -> Data {
    var data = Data()
    func add(_ text: String) { data.append(contentsOf: text.utf8) }
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    let frame = Int(basic.mBitsPerChannel / 8 * basic.mChannelsPerFrame)
    add("RIFF")
    add(UInt32(clamping: bytes + 36))
    add("WAVEfmt ")
    add(UInt32(16))
    add(UInt16(basic.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? 3 : 1))
    add(UInt16(basic.mChannelsPerFrame))
    add(UInt32(basic.mSampleRate))
    add(UInt32(clamping: Int(basic.mSampleRate) * frame))
    add(UInt16(frame))
    add(UInt16(basic.mBitsPerChannel))
    add("data")
    add(UInt32(clamping: bytes))
    return data
  }

  private func coreAudioHeader(_ basic: AudioStreamBasicDescription, bytes: Int) -> Data {
    var data = Data()
    func add(_ text: String) { data.append(contentsOf: text.utf8) }
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
    }
    let frame = basic.mBitsPerChannel / 8 * basic.mChannelsPerFrame
    let isFloat: UInt32 = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? 1 : 0
    let isLittle: UInt32 = basic.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 ? 2 : 0
    add("caff")
    add(UInt16(1))
    add(UInt16(0))
    add("desc")
    add(Int64(32))
    add(basic.mSampleRate.bitPattern)
    add("lpcm")
    add(isFloat | isLittle)
    for number in [frame, 1, basic.mChannelsPerFrame, basic.mBitsPerChannel] { add(number) }
    add("data")
    // With the number of edits, which follows.
    add(Int64(bytes + 4))
    add(UInt32(0))
    return data
  }
}

/// A file of uncompressed audio that grows; it opens at every moment.
///
/// Each second of audio is brought to the disk on another thread, so that a power cut takes little more. Not thread-safe; blocks for
/// the disk's memory.
final class PCMFile {
  private let descriptor: Descriptor
  private let kind: PCMFileKind
  private let basic: AudioStreamBasicDescription
  private let path: String
  private let sync: MovieSync
  private var bytes = 0
  /// The bytes up to which the disk was asked to keep.
  private var requested = 0
  private let start: Int
  /// The largest size that a `.wav` file can say.
  private static let mostBytes = Int(UInt32.max) - 64

  /// Makes the file, or empties the one that is there.
  init(path: String, kind: PCMFileKind, _ basic: AudioStreamBasicDescription) throws(SystemError) {
    let number = Disk.open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw .last("make the file \(path)") }
    descriptor = Descriptor(adopting: number)
    (self.kind, self.basic, self.path) = (kind, basic, path)
    let header = kind.header(basic, bytes: 0)
    start = header.count
    sync = MovieSync(descriptor, folder: AtomicFile.folder(of: path), "write the file \(path)")
    sync.noteName()
    GrowingFile.mark(descriptor)
    try write(header, at: 0)
  }

  /// Whether so many more bytes fit.
  func hasRoom(for count: Int) -> Bool { kind == .coreAudio || bytes + count <= Self.mostBytes }

  /// Appends samples in the file's own form.
  func append(_ samples: Data) throws(SystemError) {
    try write(samples, at: start + bytes)
    bytes += samples.count
    // What the sizes in the header do not count yet is lost to a reader, if the process is killed between both writes.
    try write(kind.header(basic, bytes: bytes), at: 0)
    try synced { () throws(MovieFileError) in try sync.check() }
    guard Double(bytes - requested) >= basic.mSampleRate * Double(basic.mBytesPerFrame) else { return }
    requested = bytes
    sync.request(upTo: start + bytes)
  }

  /// Brings it to the disk, and its name.
  func close() throws(SystemError) {
    try synced { () throws(MovieFileError) in try sync.wait(upTo: start + bytes) }
  }

  private func synced(_ body: () throws(MovieFileError) -> Void) throws(SystemError) {
    do throws(MovieFileError) {
      try body()
    } catch {
      throw error.system ?? SystemError("write the file \(path)", errno: EIO)
    }
  }

  private func write(_ data: Data, at place: Int) throws(SystemError) {
    var done = 0
    while done < data.count {
      let count = data.withUnsafeBytes { bytes in
        Disk.write(descriptor.number, UnsafeRawBufferPointer(rebasing: bytes[done...]), at: place + done)
      }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw .last("write the file \(path)")
      }
      done += count
    }
  }
}
