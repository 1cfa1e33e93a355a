package import CaptureDevice

/// One finding of a diagnosis of the kernel's cameras.
package struct CameraFinding: Sendable, Hashable {
  /// What it is about.
  package enum Subject: String, Sendable, Hashable {
    /// A node that is no camera, or cannot be asked.
    case nodes
    /// Whether a camera can be used, and which processes have it open.
    case cameras
    /// How a camera is connected.
    case usb
  }

  package var subject: Subject
  /// One sentence; of trouble, with what to do.
  package var sentence: String
  /// Whether something should be mended.
  package var isTrouble: Bool
  /// What keeps the camera from being used; `nil` when nothing does.
  package var code: CaptureDeviceError.Code?
  /// The camera that it is about.
  package var uniqueID: String?

  /// Something in order, or trouble that leaves the camera usable.
  package init(_ subject: Subject, _ sentence: String, isTrouble: Bool = false, uniqueID: String? = nil) {
    self.subject = subject
    self.sentence = sentence
    self.isTrouble = isTrouble
    self.uniqueID = uniqueID
  }

  /// Trouble that keeps a camera from being used.
  package init(_ subject: Subject, _ error: CaptureDeviceError, uniqueID: String? = nil) {
    self.subject = subject
    sentence = error.message
    isTrouble = true
    code = error.code
    self.uniqueID = uniqueID
  }
}
