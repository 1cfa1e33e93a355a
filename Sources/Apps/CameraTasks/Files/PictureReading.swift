package import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Glibc
internal import ImageIO
internal import Linux
internal import StillCodecs

/// Opening the pictures that a task was given.
package enum PictureReading {
  /// No picture that can be opened here is larger.
  private static let limitBytes = 512 << 20

  /// The picture in the file at `path`; what is no plain file is refused at once.
  /// - Throws: ``CameraTaskError/Code/badFile``.
  package static func picture(at path: String) throws(CameraTaskError) -> CVPixelBuffer {
    let data = try contents(of: path)
    guard let source = CGImageSourceCreateWithData(data as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else {
      throw CameraTaskError(
        .badFile, "\(path) is no picture that can be read: it is damaged, or neither JPEG, HEIC nor PNG.")
    }
    do {
      return try image.makePixelBuffer()
    } catch {
      throw CameraTaskError(
        .badFile, "\(path) cannot be read: there is not enough memory for it; close other programs.")
    }
  }

  private static func contents(of path: String) throws(CameraTaskError) -> Data {
    func refusal(_ reason: String) -> CameraTaskError {
      CameraTaskError(.badFile, "\(path.isEmpty ? "''" : path) cannot be read: \(reason).")
    }
    // Non-blocking: a pipe without a writer would be waited for without end.
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw refusal("there is no such file; check the spelling")
      case EACCES, EPERM: throw refusal("you may not read it; ask its owner for permission")
      default: throw refusal("\(SystemError.last("read").explanation)")
      }
    }
    let descriptor = Descriptor(adopting: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw refusal(SystemError.last("read").explanation) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw refusal("it is a folder; name a picture in it")
    default: throw refusal("it is a pipe or a device, not a file; save the picture to a file first")
    }
    guard status.st_size <= limitBytes else {
      throw refusal("it is larger than \(limitBytes >> 20) MB; name a smaller picture")
    }
    var data = Data(count: Int(status.st_size))
    var size = 0
    let problem: Int32? = data.withUnsafeMutableBytes { bytes in
      while size < bytes.count {
        let count = read(descriptor.number, bytes.baseAddress.map { $0 + size }, bytes.count - size)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return count < 0 ? errno : nil }
        size += count
      }
      return nil
    }
    if let problem { throw refusal(SystemError("read", errno: problem).explanation) }
    return data.prefix(size)
  }
}
