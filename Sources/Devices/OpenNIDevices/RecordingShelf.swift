internal import CaptureDevice
internal import Linux

/// The recordings that this process has opened: each once, and for good.
///
/// OpenNI's player reads on a thread of its own, which looks at streams and files after they were closed; and who opens a file twice gets
/// one player for both. Thread-safe.
enum RecordingShelf {
  private static let cameras = Locked<[String: OpenNIDevice]>([:])

  /// The camera of the recording at an absolute path; `make` is called where there is none yet.
  static func camera(
    at path: String, make: () throws(CaptureDeviceError) -> OpenNIDevice
  ) throws(CaptureDeviceError) -> OpenNIDevice {
    if let camera = cameras.withLock({ $0[path] }) { return camera }
    let fresh = try make()
    // Of two that were made at once both play; the first stays.
    return cameras.withLock { cameras in
      let camera = cameras[path] ?? fresh
      cameras[path] = camera
      return camera
    }
  }
}
