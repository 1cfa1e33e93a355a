package import Linux

/// The calls that this backend makes to the kernel, one method each: the seam at which tests play a kernel.
///
/// A method does what its system call does and nothing more. Thread-safe; each may block as long as the driver does.
package protocol VideoKernel: Sendable {
  /// The video nodes there are, by number.
  func nodes() throws(KernelRefusal) -> [VideoNode]

  /// Calls `changed` on a thread of the kernel's whenever a node came, went, or changed its rights; until the
  /// returned object is released.
  func watchNodes(_ changed: @escaping @Sendable () -> Void) throws(KernelRefusal) -> any AnyObject & Sendable

  /// The placement of a node's device, as far as sysfs has it.
  func placement(of node: VideoNode) -> DevicePlacement

  /// The media graph that feeds a node; `nil` where there is none, or this user may not see it.
  ///
  /// C: `MEDIA_IOC_G_TOPOLOGY`. Opens the media device for the time of the call.
  func mediaGraph(of node: VideoNode) -> MediaGraph?

  /// The folder that sysfs has for the media device beside a node; `nil` where there is none.
  func mediaFolder(of path: String) -> String?

  /// Whether sysfs still has a folder. C: `access`.
  func hasFolder(_ folder: String) -> Bool

  /// The machine's model by its firmware.
  func machineModel() -> MachineModel

  /// The processes that have `path` open, as far as this user may see them. Reads `/proc`; milliseconds.
  func holders(of path: String) -> [DeviceHolder]

  /// The access to `path`, as far as its group goes.
  func access(to path: String) -> NodeAccess

  /// Opens a node for non-blocking calls. C: `open`.
  func open(_ path: String) throws(KernelRefusal) -> VideoHandle

  /// Closes what ``open(_:)`` gave. C: `close`.
  func close(_ handle: VideoHandle)

  /// The device's identity. C: `VIDIOC_QUERYCAP`.
  func identity(_ handle: VideoHandle) throws(KernelRefusal) -> VideoIdentity

  /// The pixel format at a place of the driver's list; `nil` past its end. C: `VIDIOC_ENUM_FMT`.
  func pixelFormat(_ handle: VideoHandle, at index: Int) throws(KernelRefusal) -> VideoPixelFormat?

  /// The frame sizes at a place of the list; `nil` past its end. C: `VIDIOC_ENUM_FRAMESIZES`.
  func frameSizes(
    _ handle: VideoHandle, _ format: VideoPixelFormat, at index: Int
  ) throws(KernelRefusal) -> VideoRange<VideoSize>?

  /// The frame durations at a place of the list; `nil` past its end. C: `VIDIOC_ENUM_FRAMEINTERVALS`.
  func frameDurations(
    _ handle: VideoHandle, _ format: VideoPixelFormat, _ size: VideoSize, at index: Int
  ) throws(KernelRefusal) -> VideoRange<VideoFraction>?

  /// Tries or sets a layout, and returns the driver's version of it. C: `VIDIOC_TRY_FMT`, `VIDIOC_S_FMT`.
  func setLayout(_ handle: VideoHandle, _ layout: VideoLayout, trying: Bool) throws(KernelRefusal)
    -> VideoLayout

  /// The frame duration in force. C: `VIDIOC_G_PARM`.
  func frameDuration(_ handle: VideoHandle) throws(KernelRefusal) -> VideoFraction

  /// Asks for a frame duration and returns what was granted. C: `VIDIOC_S_PARM`.
  func setFrameDuration(_ handle: VideoHandle, _ duration: VideoFraction) throws(KernelRefusal)
    -> VideoFraction

  /// Asks for mappable buffers and returns how many were granted. C: `VIDIOC_REQBUFS`.
  func requestBuffers(_ handle: VideoHandle, count: Int) throws(KernelRefusal) -> Int

  /// Asks for mappable buffers beside those that there are, also while the device streams, and returns which were granted.
  ///
  /// With a `count` of 0 it only says whether the driver can. C: `VIDIOC_G_FMT`, `VIDIOC_CREATE_BUFS`.
  func addBuffers(_ handle: VideoHandle, count: Int) throws(KernelRefusal) -> Range<Int>

  /// Maps a buffer's memory. C: `VIDIOC_QUERYBUF`, `mmap`.
  func mapBuffer(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal) -> UnsafeMutableRawBufferPointer

  /// Ends a mapping. C: `munmap`.
  func unmapBuffer(_ memory: UnsafeMutableRawBufferPointer)

  /// Makes a descriptor for a buffer's memory that other devices take. C: `VIDIOC_EXPBUF`.
  func exportBuffer(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal) -> Descriptor

  /// Gives a buffer to the driver to fill. C: `VIDIOC_QBUF`.
  func enqueue(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal)

  /// Takes the oldest filled buffer; `nil` when there is none yet. C: `VIDIOC_DQBUF`.
  func dequeue(_ handle: VideoHandle) throws(KernelRefusal) -> FilledBuffer?

  /// Starts the stream. C: `VIDIOC_STREAMON`.
  func streamOn(_ handle: VideoHandle) throws(KernelRefusal)

  /// Ends the stream and takes every buffer back from the driver. C: `VIDIOC_STREAMOFF`.
  func streamOff(_ handle: VideoHandle) throws(KernelRefusal)

  /// Sleeps until a buffer is filled, the device fails, or `wake` is signalled; at most `nanoseconds`.
  /// `nil` for `handle` waits for the signal alone. C: `poll`.
  func wait(_ handle: VideoHandle?, _ wake: WakeUp, nanoseconds: Int64) throws(KernelRefusal)
    -> VideoReadiness

  /// The same for two devices at once: what each is ready for, and `woken` with the first. C: `poll`.
  func wait(
    _ first: VideoHandle?, _ second: VideoHandle?, _ wake: WakeUp, nanoseconds: Int64
  ) throws(KernelRefusal) -> (VideoReadiness, VideoReadiness)

  /// A control as it is now, or `nil` where the device lacks it. C: `VIDIOC_QUERY_EXT_CTRL`.
  func control(_ handle: VideoHandle, _ control: VideoControl) throws(KernelRefusal)
    -> VideoControlDescription?

  /// The first control after `control` by number, or of all; `nil` past the last.
  ///
  /// C: `V4L2_CTRL_FLAG_NEXT_CTRL`, `V4L2_CTRL_FLAG_NEXT_COMPOUND`.
  func nextControl(
    _ handle: VideoHandle, after control: VideoControl?
  ) throws(KernelRefusal) -> (VideoControl, VideoControlDescription)?

  /// A menu's entry; `nil` for a hole. C: `VIDIOC_QUERYMENU`.
  func menuEntry(
    _ handle: VideoHandle, _ control: VideoControl, _ kind: VideoControlKind, at index: Int64
  ) throws(KernelRefusal) -> VideoMenuEntry?

  /// A control's value. C: `VIDIOC_G_CTRL`, `VIDIOC_G_EXT_CTRLS`.
  func value(
    _ handle: VideoHandle, of control: VideoControl, _ kind: VideoControlKind
  ) throws(KernelRefusal) -> Int64

  /// Sets a control. C: `VIDIOC_S_CTRL`, `VIDIOC_S_EXT_CTRLS`.
  func setValue(
    _ handle: VideoHandle, of control: VideoControl, _ kind: VideoControlKind, to value: Int64
  ) throws(KernelRefusal)

  /// The value of a control that is a text of at most `longest` bytes. C: `VIDIOC_G_EXT_CTRLS`.
  func text(
    _ handle: VideoHandle, of control: VideoControl, longest: Int
  ) throws(KernelRefusal) -> String

  /// Sets a control that is a text. C: `VIDIOC_S_EXT_CTRLS`.
  func setText(_ handle: VideoHandle, of control: VideoControl, to text: String) throws(KernelRefusal)

  /// Asks to be woken by ``waitForChange(_:_:nanoseconds:)`` when a control changes. C: `VIDIOC_SUBSCRIBE_EVENT`.
  func subscribe(_ handle: VideoHandle, to control: VideoControl) throws(KernelRefusal)

  /// Sleeps until a subscribed control changes, the device fails, or `wake` is signalled; at most `nanoseconds`. What
  /// has changed is forgotten. C: `poll`, `VIDIOC_DQEVENT`.
  func waitForChange(_ handle: VideoHandle, _ wake: WakeUp, nanoseconds: Int64) throws(KernelRefusal)
    -> VideoReadiness
}
