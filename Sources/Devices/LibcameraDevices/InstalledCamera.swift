#if LibcameraDevices
  internal import CLibcamera
  internal import CaptureDevice
  internal import Linux

  /// A camera of the library that this program is linked with.
  final class InstalledCamera: LibraryCamera, @unchecked Sendable {
    // Safe because the pointer never changes, and the library's camera is thread-safe.

    private let pointer: OpaquePointer
    private let told = Locked<CameraIdentity?>(nil)

    init(_ pointer: OpaquePointer) {
      self.pointer = pointer
    }

    deinit { cam_libcamera_camera_release(pointer) }

    var identity: CameraIdentity {
      if let known = told.withLock({ $0 }) { return known }
      let identity = read()
      told.withLock { $0 = identity }
      return identity
    }

    private func read() -> CameraIdentity {
      var facts = cam_libcamera_camera_facts()
      cam_libcamera_camera_read(pointer, &facts)
      return CameraIdentity(
        id: text(facts.id), model: text(facts.model),
        location: CameraLocation(rawValue: facts.location) ?? .unknown, rotation: Int(facts.rotation))
    }

    private func text<Characters>(_ characters: Characters) -> String {
      withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    func isSame(as other: any LibraryCamera) -> Bool {
      guard let other = other as? InstalledCamera else { return false }
      return cam_libcamera_camera_equals(pointer, other.pointer) != 0
    }

    func nodes(among numbers: [UInt64]) -> [UInt64] {
      var numbers = numbers
      let count = cam_libcamera_camera_nodes(pointer, &numbers, numbers.count)
      return Array(numbers.prefix(count))
    }

    func formats(for use: StreamUse) -> [CameraStream] {
      var told = [cam_libcamera_stream](repeating: cam_libcamera_stream(), count: 512)
      let count = cam_libcamera_camera_formats(pointer, use.rawValue, &told, told.count)
      return told.prefix(count).compactMap(CameraStream.init)
    }

    func check(_ streams: [CameraStream]) -> [CameraStream]? {
      var told = streams.map(\.told)
      guard cam_libcamera_camera_check(pointer, &told, told.count) == 0 else { return nil }
      return told.compactMap(CameraStream.init)
    }

    func open(
      _ streams: [CameraStream], completed: @escaping @Sendable (RequestCompletion) -> Void
    ) throws(LibraryRefusal) -> any CameraSession {
      let listener = CompletionListener(completed)
      var told = streams.map(\.told)
      var error: Int32 = 0
      let session = cam_libcamera_camera_open(
        pointer, &told, told.count,
        { context, completion in
          guard let context, let completion else { return }
          Unmanaged<CompletionListener>.fromOpaque(context).takeUnretainedValue().completed(
            RequestCompletion(completion.pointee))
        },
        // Safe because the session, which calls it, keeps it.
        Unmanaged.passUnretained(listener).toOpaque(), &error)
      guard let session else { throw LibraryRefusal(error) }
      return InstalledSession(session, told.compactMap(CameraStream.init), listener)
    }
  }

  /// The handler of an open camera's requests.
  final class CompletionListener: Sendable {
    let completed: @Sendable (RequestCompletion) -> Void

    init(_ completed: @escaping @Sendable (RequestCompletion) -> Void) {
      self.completed = completed
    }
  }

  extension CameraStream {
    fileprivate init?(_ told: cam_libcamera_stream) {
      guard let use = StreamUse(rawValue: told.role) else { return nil }
      self.init(
        use, PictureCode(fourcc: told.fourcc, modifier: told.modifier),
        FrameSize(width: Int(told.width), height: Int(told.height)), buffers: Int(told.buffers))
      bytesPerRow = Int(told.stride)
      matrix = Int(told.matrix)
      isFullRange = told.is_full_range != 0
    }

    fileprivate var told: cam_libcamera_stream {
      cam_libcamera_stream(
        role: use.rawValue, fourcc: code.fourcc, modifier: code.modifier, width: UInt32(clamping: size.width),
        height: UInt32(clamping: size.height), stride: 0, buffers: UInt32(clamping: buffers), matrix: 0,
        is_full_range: 0)
    }
  }

  extension RequestCompletion {
    fileprivate init(_ told: cam_libcamera_completion) {
      let filled = withUnsafeBytes(of: told.buffers) { Array($0.bindMemory(to: cam_libcamera_filled.self)) }
      let values = withUnsafeBytes(of: told.values) { Array($0.bindMemory(to: cam_libcamera_value.self)) }
      var metadata: [LibraryControl: [Double]] = [:]
      for value in values.prefix(Int(told.value_count)) {
        metadata[LibraryControl(number: value.control)] = value.list
      }
      self.init(
        cookie: told.cookie, isCancelled: told.is_cancelled != 0,
        buffers: filled.prefix(Int(told.buffer_count)).compactMap { buffer in
          StreamUse(rawValue: buffer.role).map {
            Filled(
              use: $0, index: Int(buffer.index), isWhole: buffer.is_whole != 0, number: buffer.number,
              time: Int64(clamping: buffer.time), used: Int(buffer.used))
          }
        }, metadata: metadata, sensorTime: told.sensor_time)
    }
  }

  extension cam_libcamera_value {
    fileprivate var list: [Double] {
      withUnsafeBytes(of: numbers) { Array($0.bindMemory(to: Double.self).prefix(Int(count))) }
    }
  }
#endif
