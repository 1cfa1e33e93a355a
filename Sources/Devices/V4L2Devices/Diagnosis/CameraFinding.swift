package import CaptureDevice

/// One finding of a diagnosis of the kernel's cameras.
package struct CameraFinding: Sendable, Hashable {
  /// The subject of a finding.
  package enum Subject: String, Sendable, Hashable {
    /// A node that is no camera, or cannot be asked.
    case nodes
    /// Whether a camera can be used, and which processes have it open.
    case cameras
    /// The connection of a camera.
    case usb
  }

  package var subject: Subject
  /// One sentence; of trouble, with what to do.
  package var sentence: String
  /// Whether something should be mended.
  package var isTrouble: Bool
  /// The error that keeps the camera from being used; `nil` when it can be used.
  package var code: CaptureDeviceError.Code?
  /// The camera that it is about.
  package var uniqueID: String?

  /// A finding of something in order, or of trouble that leaves the camera usable.
  package init(_ subject: Subject, _ sentence: String, isTrouble: Bool = false, uniqueID: String? = nil) {
    self.subject = subject
    self.sentence = sentence
    self.isTrouble = isTrouble
    self.uniqueID = uniqueID
  }

  /// A finding of trouble that keeps a camera from being used.
  package init(_ subject: Subject, _ error: CaptureDeviceError, uniqueID: String? = nil) {
    self.subject = subject
    sentence = error.message
    isTrouble = true
    code = error.code
    self.uniqueID = uniqueID
  }
}
