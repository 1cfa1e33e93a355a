package import CaptureDevice

/// A kind of sensor that a depth camera has.
package enum SensorKind: Sendable, Hashable {
  /// Colours.
  case color
  /// Distances.
  case depth
}

/// One way in which a sensor sends frames.
package struct SensorMode: Sendable, Hashable {
  /// OpenNI's number of the pixel format.
  package var pixelFormat: Int
  /// The size of the frames.
  package var size: FrameSize
  /// Frames a second.
  package var rate: Int

  /// A mode of these.
  package init(pixelFormat: Int, size: FrameSize, rate: Int) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.rate = rate
  }
}

/// A device as the library lists it.
package struct ListedSensor: Sendable, Hashable {
  /// The name that opens it: of a place on a bus, or of a file.
  package var uri: String
  /// The maker.
  package var vendor: String
  /// The model.
  package var name: String
  /// The maker's number on the USB; 0 for what is not on a bus: recordings, and devices that stand in for one.
  package var usbVendor: UInt16
  /// The model's number there.
  package var usbProduct: UInt16

  /// A device of these.
  package init(uri: String, vendor: String, name: String, usbVendor: UInt16, usbProduct: UInt16) {
    self.uri = uri
    self.vendor = vendor
    self.name = name
    self.usbVendor = usbVendor
    self.usbProduct = usbProduct
  }
}

/// A device that came or went.
package struct SensorChange: Sendable, Hashable {
  /// The device, by ``ListedSensor/uri``.
  package var uri: String
  /// Whether it came.
  package var hasCome: Bool

  /// A change of a device.
  package init(uri: String, hasCome: Bool) {
    self.uri = uri
    self.hasCome = hasCome
  }
}

/// One frame in the library's memory.
package struct SensorFrame {
  /// Its bytes, row by row.
  package var bytes: UnsafeRawBufferPointer
  /// The mode that it was made in.
  package var mode: SensorMode
  /// The size that it has; another than the mode's where the device cuts frames.
  package var size: FrameSize
  /// Bytes from one row to the next.
  package var rowBytes: Int
  /// The device's count of frames.
  package var number: UInt32
  /// When it was made, in microseconds of the device's clock.
  package var microseconds: UInt64

  /// A frame of these.
  package init(
    bytes: UnsafeRawBufferPointer, mode: SensorMode, size: FrameSize, rowBytes: Int, number: UInt32,
    microseconds: UInt64
  ) {
    self.bytes = bytes
    self.mode = mode
    self.size = size
    self.rowBytes = rowBytes
    self.number = number
    self.microseconds = microseconds
  }
}

/// A device that is open.
package struct SensorHandle: Sendable, Hashable {
  /// The library's address of it.
  package let number: UInt

  /// The handle of that number.
  package init(number: UInt) {
    self.number = number
  }
}

/// A stream of one sensor of a device that is open.
package struct SensorStreamHandle: Sendable, Hashable {
  /// The library's address of it.
  package let number: UInt

  /// The handle of that number.
  package init(number: UInt) {
    self.number = number
  }
}

/// A call that the library refused.
package struct DepthRefusal: Error, Sendable, Hashable {
  /// The library's words, without a full stop; its number where it has none.
  package var reason: String

  /// A refusal with its reason.
  package init(_ reason: String) {
    self.reason = reason
  }
}
