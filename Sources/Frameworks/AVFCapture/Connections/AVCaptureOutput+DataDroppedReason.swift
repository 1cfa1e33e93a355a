extension AVCaptureOutput {
  /// The reason for which something that was captured did not reach the client.
  ///
  /// Apple: `AVCaptureOutput.DataDroppedReason`.
  public enum DataDroppedReason: Int, Sendable {
    /// It was not dropped.
    case none = 0
    /// The client was busy.
    case lateData = 1
    /// Clients held all the memory there is for it.
    case outOfBuffers = 2
    /// The device lost it.
    case discontinuity = 3
  }
}

extension AVCaptureOutput.DataDroppedReason {
  init(_ reason: LostSample.Reason) {
    self =
      switch reason {
      case .late: .lateData
      case .outOfBuffers: .outOfBuffers
      case .discontinuity: .discontinuity
      }
  }
}
