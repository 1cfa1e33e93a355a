#if LibcameraDevices
  internal import CLibcamera
  internal import Linux

  /// A camera that is taken and configured, of the library that this program is linked with.
  final class InstalledSession: CameraSession, @unchecked Sendable {
    // Safe because its calls come one at a time, and what is asked of it besides is constant.

    let streams: [CameraStream]
    private let pointer: OpaquePointer
    private let listener: CompletionListener
    private let isClosed = Locked(false)

    init(_ pointer: OpaquePointer, _ streams: [CameraStream], _ listener: CompletionListener) {
      self.pointer = pointer
      self.streams = streams
      self.listener = listener
    }

    var ranges: [ControlRange] {
      var told = [cam_libcamera_range](repeating: cam_libcamera_range(), count: 64)
      let count = cam_libcamera_session_ranges(pointer, &told, told.count)
      return told.prefix(count).map { range in
        func numbers<Numbers>(_ tuple: Numbers, _ count: UInt32) -> [Double] {
          withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Double.self).prefix(Int(count))) }
        }
        return ControlRange(
          LibraryControl(number: range.control), least: numbers(range.least, range.count),
          greatest: numbers(range.greatest, range.count), usual: numbers(range.usual, range.usual_count),
          values: numbers(range.values, range.value_count))
      }
    }

    func planes(_ use: StreamUse, _ index: Int) -> [BufferPlane] {
      var told = [cam_libcamera_plane](repeating: cam_libcamera_plane(), count: 4)
      let count = cam_libcamera_session_planes(
        pointer, use.rawValue, UInt32(clamping: index), &told, told.count)
      return told.prefix(count).map {
        BufferPlane(descriptor: $0.descriptor, offset: Int($0.offset), length: Int($0.length))
      }
    }

    func start(_ values: [ControlValue]) throws(LibraryRefusal) {
      let told = values.map(\.told)
      let result = cam_libcamera_session_start(pointer, told, told.count)
      if result != 0 { throw LibraryRefusal(result) }
    }

    func queue(_ request: FrameRequest) throws(LibraryRefusal) {
      let told = request.settings.map(\.told)
      let indices = StreamUse.allCases.map { Int32(clamping: request.buffers[$0] ?? -1) }
      let result = cam_libcamera_session_queue(pointer, request.cookie, indices, told, told.count)
      if result != 0 { throw LibraryRefusal(result) }
    }

    func stop() { cam_libcamera_session_stop(pointer) }

    func close() {
      let wasClosed = isClosed.withLock { isClosed in
        defer { isClosed = true }
        return isClosed
      }
      if !wasClosed { cam_libcamera_session_close(pointer) }
    }

    /// Closes what a thread that hung in the library has left open.
    deinit {
      close()
      withExtendedLifetime(listener) {}
    }
  }

  extension ControlValue {
    fileprivate var told: cam_libcamera_value {
      var value = cam_libcamera_value()
      value.control = control.number
      value.count = UInt32(clamping: min(numbers.count, 4))
      let first = numbers.prefix(4) + [Double](repeating: 0, count: max(4 - numbers.count, 0))
      value.numbers = (first[0], first[1], first[2], first[3])
      return value
    }
  }
#endif
