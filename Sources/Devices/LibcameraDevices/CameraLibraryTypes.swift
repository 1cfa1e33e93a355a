package import CaptureDevice

/// The use of a stream, by which the library chooses how it makes it: StreamRole.
package enum StreamUse: UInt32, Sendable, Hashable, CaseIterable {
  /// Pictures that follow each other.
  case view
  /// Pictures of full size.
  case still
  /// The sensor's numbers.
  case raw
}

/// One stream of a camera, as it is asked for or granted.
package struct CameraStream: Sendable, Hashable {
  package var use: StreamUse
  /// The format of its pictures; the library's choice where a stream is asked for without.
  package var code: PictureCode
  package var size: FrameSize
  /// From one row to the next; 0 where the library does not say.
  package var bytesPerRow = 0
  /// How many buffers; 0 leaves that to the library.
  package var buffers = 0
  /// 601, 709 or 2020: the matrix of its colours; 0 where the library does not say.
  package var matrix = 0
  /// Whether the numbers of its pictures use all of their range.
  package var isFullRange = false

  /// A stream to ask for.
  package init(_ use: StreamUse, _ code: PictureCode, _ size: FrameSize, buffers: Int = 0) {
    (self.use, self.code, self.size, self.buffers) = (use, code, size, buffers)
  }
}

/// The identity and the place of a camera.
package struct CameraIdentity: Sendable, Hashable {
  /// The library's name of it, the same after a reboot.
  package var id: String
  /// The sensor's name, or that of a webcam.
  package var model: String
  package var location: CameraLocation
  /// Degrees counter-clockwise that its pictures must turn to stand upright.
  package var rotation: Int

  /// A camera of these.
  package init(id: String, model: String, location: CameraLocation = .unknown, rotation: Int = 0) {
    (self.id, self.model, self.location, self.rotation) = (id, model, location, rotation)
  }
}

/// The place of a camera on its machine.
package enum CameraLocation: UInt32, Sendable, Hashable {
  case unknown, front, back, external
}

/// One plane of a buffer, in memory that a descriptor stands for.
package struct BufferPlane: Sendable, Hashable {
  package var descriptor: Int32
  package var offset: Int
  package var length: Int

  /// A plane of these.
  package init(descriptor: Int32, offset: Int, length: Int) {
    (self.descriptor, self.offset, self.length) = (descriptor, offset, length)
  }
}

/// A value of a control or of metadata; a Boolean is 0 or 1, a rectangle left, top, width and height.
package struct ControlValue: Sendable, Hashable {
  package var control: LibraryControl
  package var numbers: [Double]

  /// A value of a control.
  package init(_ control: LibraryControl, _ numbers: [Double]) {
    (self.control, self.numbers) = (control, numbers)
  }

  /// A value of one number.
  package init(_ control: LibraryControl, _ number: Double) { self.init(control, [number]) }
}

/// The values that a camera takes for a control.
package struct ControlRange: Sendable, Hashable {
  package var control: LibraryControl
  package var least: [Double]
  package var greatest: [Double]
  /// The value before it is set.
  package var usual: [Double]
  /// A menu's; empty where everything between the least and the greatest is one.
  package var values: [Double]

  /// A range of these.
  package init(
    _ control: LibraryControl, least: [Double], greatest: [Double], usual: [Double] = [],
    values: [Double] = []
  ) {
    (self.control, self.least, self.greatest) = (control, least, greatest)
    (self.usual, self.values) = (usual, values)
  }

  /// A range of numbers.
  package init(_ control: LibraryControl, _ range: ClosedRange<Double>, values: [Double] = []) {
    self.init(control, least: [range.lowerBound], greatest: [range.upperBound], values: values)
  }
}

/// A request for one frame: into which buffers, and what to change with it.
package struct FrameRequest: Sendable, Hashable {
  /// The number that comes back with its completion.
  package var cookie: UInt64
  /// The buffer of each use that the request has.
  package var buffers: [StreamUse: Int]
  package var settings: [ControlValue]

  /// A request of these.
  package init(cookie: UInt64, buffers: [StreamUse: Int], settings: [ControlValue]) {
    (self.cookie, self.buffers, self.settings) = (cookie, buffers, settings)
  }
}

/// A request that is over.
package struct RequestCompletion: Sendable {
  /// A buffer of it.
  package struct Filled: Sendable, Hashable {
    package var use: StreamUse
    package var index: Int
    /// Whether it holds a whole picture.
    package var isWhole: Bool
    /// The driver's number of the frame.
    package var number: UInt32
    /// The driver's stamp in nanoseconds; 0 without one.
    package var time: Int64
    /// How many bytes were written; 0 where the driver does not say.
    package var used: Int

    /// A buffer of these.
    package init(
      use: StreamUse, index: Int, isWhole: Bool = true, number: UInt32, time: Int64, used: Int = 0
    ) {
      (self.use, self.index, self.isWhole) = (use, index, isWhole)
      (self.number, self.time, self.used) = (number, time, used)
    }
  }

  package var cookie: UInt64
  /// Whether no frame was exposed for it.
  package var isCancelled: Bool
  package var buffers: [Filled]
  package var metadata: [LibraryControl: [Double]]
  /// When the exposure began, in nanoseconds; 0 where it is not told.
  package var sensorTime: Int64

  /// A completion of these.
  package init(
    cookie: UInt64, isCancelled: Bool, buffers: [Filled], metadata: [LibraryControl: [Double]] = [:],
    sensorTime: Int64 = 0
  ) {
    (self.cookie, self.isCancelled, self.buffers) = (cookie, isCancelled, buffers)
    (self.metadata, self.sensorTime) = (metadata, sensorTime)
  }

  /// Its buffer of a use.
  func filled(_ use: StreamUse) -> Filled? { buffers.first { $0.use == use } }

  /// One number of the metadata.
  func number(_ control: LibraryControl) -> Double? { metadata[control]?.first }
}

/// A call that the library refused, by the system's number.
package struct LibraryRefusal: Error, Sendable, Hashable {
  package var errno: Int32

  /// A refusal by its number.
  package init(_ errno: Int32) { self.errno = errno }
}
