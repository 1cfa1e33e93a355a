/// The calls that this backend makes to OpenNI's library, one method each: the seam at which tests play a depth camera.
///
/// A method does what its call does and nothing more. Thread-safe, but for the calls on one open device, which come one at a time; each may
/// block as long as the device's driver does.
package protocol DepthLibrary: Sendable {
  /// The reason why the library cannot be used, a phrase; `nil` when it can.
  ///
  /// The first call loads it and its drivers, once for the process.
  var obstacle: String? { get }

  /// The devices that its drivers list, recordings and devices without a bus among them.
  ///
  /// C: `oniGetDeviceList`.
  func devices() -> [ListedSensor]

  /// Calls `changed` on a thread of the library's when a device came or went, until the returned object is released.
  ///
  /// C: `oniRegisterDeviceCallbacks`.
  func watch(_ changed: @escaping @Sendable (SensorChange) -> Void) throws(DepthRefusal) -> any AnyObject
    & Sendable

  /// Opens a device, or a recording's file.
  ///
  /// C: `oniDeviceOpen`.
  func open(_ uri: String) throws(DepthRefusal) -> SensorHandle

  /// Closes what ``open(_:)`` gave; never a recording, whose player goes on with what is gone then.
  ///
  /// C: `oniDeviceClose`.
  func close(_ device: SensorHandle)

  /// The serial number; empty where the device tells none.
  func serialNumber(_ device: SensorHandle) -> String

  /// The ways in which a sensor of the device sends frames; empty for a device without it.
  ///
  /// C: `oniDeviceGetSensorInfo`.
  func modes(_ device: SensorHandle, _ kind: SensorKind) -> [SensorMode]

  /// Whether the device can lay its distances upon its colours.
  ///
  /// C: `oniDeviceIsImageRegistrationModeSupported`.
  func canRegister(_ device: SensorHandle) -> Bool

  /// Lays distances upon colours, or not; returns whether the device says afterwards that it does.
  ///
  /// Some heed it only while both streams run.
  func register(_ device: SensorHandle, _ isOn: Bool) -> Bool

  /// Makes a stream of one sensor, which does not run yet.
  ///
  /// C: `oniDeviceCreateStream`.
  func makeStream(_ device: SensorHandle, _ kind: SensorKind) throws(DepthRefusal) -> SensorStreamHandle

  /// Ends a stream for good; never one of a recording.
  ///
  /// C: `oniStreamDestroy`.
  func destroy(_ stream: SensorStreamHandle)

  /// The way in which a stream sends frames; `nil` where it does not say.
  func mode(_ stream: SensorStreamHandle) -> SensorMode?

  /// Changes that.
  func setMode(_ stream: SensorStreamHandle, _ mode: SensorMode) throws(DepthRefusal)

  /// Switches off that frames are mirrored, as some drivers do unasked; returns whether they are all the same.
  func stopMirroring(_ stream: SensorStreamHandle) -> Bool

  /// The horizontal field of view in degrees; `nil` where the driver does not tell it.
  func fieldOfView(_ stream: SensorStreamHandle) -> Double?

  /// Starts a stream.
  ///
  /// C: `oniStreamStart`.
  func start(_ stream: SensorStreamHandle) throws(DepthRefusal)

  /// Stops a stream.
  ///
  /// C: `oniStreamStop`.
  func stop(_ stream: SensorStreamHandle)

  /// Waits for a frame of any of `streams`; returns its place in the list, or `nil` when none came.
  ///
  /// C: `oniStreamRegisterNewFrameCallback`.
  func wait(_ streams: [SensorStreamHandle], milliseconds: Int) throws(DepthRefusal) -> Int?

  /// Calls `body` with the newest frame of a stream, whose memory is the library's and lent for that time.
  ///
  /// C: `oniStreamReadFrame`, `oniFrameRelease`.
  func read(_ stream: SensorStreamHandle, _ body: (SensorFrame) -> Void) throws(DepthRefusal)
}
