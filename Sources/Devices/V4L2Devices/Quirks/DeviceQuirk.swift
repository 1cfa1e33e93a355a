package import Linux
package import CaptureDevice

/// A lie of a device or its driver that is publicly known, and what follows from it.
///
/// One file of this folder for each lie. An entry says what is seen, which devices do it, and the public source; a test
/// holds each to its effect. Lies that the kernel knows and corrects itself (uvcvideo's own list) are not repeated here.
package struct DeviceQuirk: Sendable {
  /// The correction of a quirk.
  package enum Effect: Sendable, Hashable {
    /// Its serial number is no number of its own.
    case ignoresSerial
    /// It sits in the machine and points this way.
    case position(DevicePosition)
    /// Its pictures must turn so many degrees clockwise to stand upright.
    case turned(Int)
    /// It sees infrared light.
    case infrared
    /// It is no camera; the reason, as a sentence about it goes on.
    case hidden(String)
    /// It is no camera where its node does not capture; the reason, in better words than that.
    case explained(String)
    /// A control takes these values and no others of its range.
    case values(VideoControl, [Int64])
    /// A control's range is really this.
    case range(VideoControl, ClosedRange<Int64>)
    /// A unit of its depth maps stands for so many metres.
    case depthUnit(Float)
  }

  /// The conditions of the affected devices; every condition that is set must hold.
  package struct Match: Sendable {
    /// USB vendor and product.
    package var usb: (vendor: UInt16, product: UInt16)?
    /// The kernel's driver.
    package var driver: String?
    /// Part of the name.
    package var name: String?
    package var serial: String?
    /// The machine's board, by maker and name.
    package var board: (vendor: String, name: String)?
    /// The only size that it offers.
    package var onlySize: VideoSize?

    init(
      usb: (vendor: UInt16, product: UInt16)? = nil, driver: String? = nil, name: String? = nil,
      serial: String? = nil, board: (vendor: String, name: String)? = nil, onlySize: VideoSize? = nil
    ) {
      self.usb = usb
      self.driver = driver
      self.name = name
      self.serial = serial
      self.board = board
      self.onlySize = onlySize
    }

    func holds(for subject: QuirkSubject) -> Bool {
      if let usb {
        guard let found = subject.usb, found.vendor == usb.vendor, found.product == usb.product else {
          return false
        }
      }
      if let driver, driver != subject.driver { return false }
      if let name, !subject.name.contains(name), subject.usb?.productName.contains(name) != true {
        return false
      }
      if let serial, serial != subject.usb?.serial { return false }
      // Makers pad these with spaces and change their mind about capitals.
      if let board,
        board.vendor.lowercased() != subject.machine.boardVendor.lowercased()
          || board.name != subject.machine.boardName
      {
        return false
      }
      if let onlySize, subject.sizes != [onlySize] { return false }
      return true
    }
  }

  /// The symptom, in one sentence.
  package var symptom: String
  package var devices: [Match]
  /// The public source.
  package var source: String
  package var effect: Effect

  init(_ symptom: String, devices: [Match], source: String, effect: Effect) {
    self.symptom = symptom
    self.devices = devices
    self.source = source
    self.effect = effect
  }

  /// Every lie that is known.
  package static let all: [DeviceQuirk] =
    [
      sharedSerials, builtInWithoutPlace, doubleExposures, converters, loopbacks, infraredInColour,
      upsideDown,
    ]
    + wrongExposureRanges + depthUnits

  /// The corrections for a device.
  static func effects(on subject: QuirkSubject) -> [Effect] {
    all.filter { quirk in quirk.devices.contains { $0.holds(for: subject) } }.map(\.effect)
  }
}

/// The facts of a device by which quirks are looked up.
package struct QuirkSubject: Sendable {
  package var driver: String
  package var name: String
  package var usb: USBPlacement?
  package var machine: MachineModel
  /// The sizes that it offers; empty before it is asked.
  package var sizes: Set<VideoSize> = []
}
