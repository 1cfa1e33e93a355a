/// The calls that this backend makes to libcamera, one method each: the seam at which tests play cameras.
///
/// Thread-safe. A method does what its call does and nothing more.
package protocol CameraLibrary: Sendable {
  /// The library's version.
  var version: String { get }

  /// The cameras there are; the first call starts the library, which then looks at the machine.
  ///
  /// C++: `CameraManager::start`, `CameraManager::cameras`.
  func cameras() throws(LibraryRefusal) -> [any LibraryCamera]

  /// Calls `changed` on a thread that is not the library's when a camera came or went, until the returned object is released.
  ///
  /// C++: `CameraManager::cameraAdded`, `CameraManager::cameraRemoved`.
  func watch(_ changed: @escaping @Sendable () -> Void) throws(LibraryRefusal) -> any AnyObject & Sendable
}

/// A camera as the library has it.
package protocol LibraryCamera: AnyObject, Sendable {
  /// Its identity and place.
  var identity: CameraIdentity { get }

  /// Whether both stand for the same object of the library's, which a camera that was plugged in again is not.
  func isSame(as other: any LibraryCamera) -> Bool

  /// Which of the kernel's devices, by number, are part of it.
  func nodes(among numbers: [UInt64]) -> [UInt64]

  /// The formats that it offers for a use: first what the library would take unasked, then all others, some of them twice.
  ///
  /// C++: `Camera::generateConfiguration`, `StreamConfiguration::formats`.
  func formats(for use: StreamUse) -> [CameraStream]

  /// The streams that it would make of these, beside each other; `nil` where it has no such streams.
  ///
  /// C++: `CameraConfiguration::validate`.
  func check(_ streams: [CameraStream]) -> [CameraStream]?

  /// Takes it for this process alone, configures it and allocates buffers.
  ///
  /// - Parameter completed: Called on a thread of the library's for each request that is over; must only enqueue.
  ///
  /// C++: `Camera::acquire`, `Camera::configure`, `FrameBufferAllocator::allocate`.
  func open(
    _ streams: [CameraStream], completed: @escaping @Sendable (RequestCompletion) -> Void
  ) throws(LibraryRefusal) -> any CameraSession
}

/// A camera that is taken and configured.
///
/// Its calls come one at a time.
package protocol CameraSession: AnyObject, Sendable {
  /// The streams that were granted, with the buffers that each has.
  var streams: [CameraStream] { get }
  /// The controls that it takes in this configuration.
  var ranges: [ControlRange] { get }

  /// The planes of a buffer; the descriptors stay the library's.
  func planes(_ use: StreamUse, _ index: Int) -> [BufferPlane]

  /// Starts; C++: `Camera::start`.
  func start(_ values: [ControlValue]) throws(LibraryRefusal)

  /// Queues a request for one frame; C++: `Camera::queueRequest`.
  func queue(_ request: FrameRequest) throws(LibraryRefusal)

  /// Stops; every request is over when it returns. C++: `Camera::stop`.
  func stop()

  /// Gives camera and buffers back; C++: `Camera::release`.
  func close()
}
