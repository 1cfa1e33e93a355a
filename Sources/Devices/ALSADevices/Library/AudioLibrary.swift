package import Linux

/// The calls that this backend makes to the ALSA library and to sysfs, one method each: the seam at which tests play a
/// sound card.
///
/// A method does what its call does and nothing more. Thread-safe, but for the calls on one open device, which come one at a
/// time; each may block as long as the driver does.
package protocol AudioLibrary: Sendable {
  /// The capture devices that the kernel offers, by card and device.
  func nodes() -> [AudioNode]

  /// Calls `changed` on a thread of its own whenever a node came, went, or changed its rights; until the returned object is
  /// released.
  func watchNodes(_ changed: @escaping @Sendable () -> Void) throws(AudioRefusal) -> any AnyObject & Sendable

  /// The bus and the USB device of a node's card, as far as sysfs has them.
  func placement(of node: AudioNode) -> AudioPlacement

  /// The processes that have `path` open, as far as this user may see them.
  ///
  /// Reads `/proc`; milliseconds.
  func holders(of path: String) -> [DeviceHolder]

  /// The names of a node and its card.
  ///
  /// C: `snd_ctl_card_info`, `snd_ctl_pcm_info`.
  func identity(of node: AudioNode) throws(AudioRefusal) -> AudioIdentity

  /// The number of the card that the configuration calls the default; `nil` where it names none.
  func defaultCard() -> Int?

  /// Whether a card's capture switch lets audio in; `nil` for a card without one.
  ///
  /// C: `snd_ctl_elem_read`.
  func captureSwitch(ofCard number: Int) -> Bool?

  /// Opens a PCM device by its name in the configuration, such as `hw:0,0`, for non-blocking capture.
  ///
  /// C: `snd_pcm_open`.
  func open(_ name: String) throws(AudioRefusal) -> AudioHandle

  /// Closes what ``open(_:)`` gave.
  ///
  /// C: `snd_pcm_close`.
  func close(_ handle: AudioHandle)

  /// The abilities of an open device.
  ///
  /// C: `snd_pcm_hw_params_any`, `snd_pcm_hw_params_test_rate`.
  func abilities(_ handle: AudioHandle) throws(AudioRefusal) -> AudioAbilities

  /// Sets the format nearest to what is asked, and returns what was granted.
  ///
  /// C: `snd_pcm_hw_params`, `snd_pcm_sw_params`.
  func configure(_ handle: AudioHandle, _ setup: AudioSetup) throws(AudioRefusal) -> AudioSetup

  /// Starts to capture.
  ///
  /// C: `snd_pcm_start`.
  func start(_ handle: AudioHandle) throws(AudioRefusal)

  /// Ends capturing and throws away what was not read.
  ///
  /// C: `snd_pcm_drop`.
  func stop(_ handle: AudioHandle) throws(AudioRefusal)

  /// Makes a device that was stopped or overrun ready to be started again.
  ///
  /// C: `snd_pcm_prepare`.
  func prepare(_ handle: AudioHandle) throws(AudioRefusal)

  /// Sleeps until a chunk can be read, `wake` is signalled, or the time is over.
  ///
  /// C: `snd_pcm_poll_descriptors`, `poll`.
  /// - Throws: `EPIPE` for an overrun, `ESTRPIPE` for a card that slept, `ENODEV` for one that is gone.
  func wait(_ handle: AudioHandle, _ wake: WakeUp, nanoseconds: Int64) throws(AudioRefusal) -> AudioReadiness

  /// The number of samples that can be read, and the time of the last one.
  ///
  /// C: `snd_pcm_htimestamp`.
  /// - Throws: As ``wait(_:_:nanoseconds:)``.
  func position(_ handle: AudioHandle) throws(AudioRefusal) -> AudioPosition

  /// Reads samples; returns how many of one channel came, at most `frames`.
  ///
  /// C: `snd_pcm_readi`.
  /// - Throws: As ``wait(_:_:nanoseconds:)``, and `EAGAIN` when there is nothing yet.
  func read(
    _ handle: AudioHandle, into memory: UnsafeMutableRawBufferPointer, frames: Int
  ) throws(AudioRefusal) -> Int
}
