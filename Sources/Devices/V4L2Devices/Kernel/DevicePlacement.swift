package import CaptureDevice
package import Linux

/// The place of the device behind a node: its USB port and the machine's side, from sysfs.
package struct DevicePlacement: Sendable, Hashable {
  /// The node's number among its device's nodes.
  ///
  /// sysfs: `index`.
  package var nodeIndex: Int
  /// For USB devices.
  package var usb: USBPlacement?
  /// The side of the machine that the device points out of, as the firmware says; `unspecified` where it does not.
  ///
  /// sysfs: `physical_location/panel`, which the kernel takes from ACPI's `_PLD`.
  package var panel: DevicePosition

  /// A placement.
  package init(nodeIndex: Int = 0, usb: USBPlacement? = nil, panel: DevicePosition = .unspecified) {
    self.nodeIndex = nodeIndex
    self.usb = usb
    self.panel = panel
  }
}

/// The machine's model by its firmware; empty where the firmware has none.
///
/// sysfs: `class/dmi/id`.
package struct MachineModel: Sendable, Hashable {
  package var boardVendor: String
  package var boardName: String
  /// Whether the machine folds or is one with its screen, so that a camera in it points at its user by default.
  package var isLaptop: Bool

  /// A machine.
  package init(boardVendor: String = "", boardName: String = "", isLaptop: Bool = false) {
    self.boardVendor = boardVendor
    self.boardName = boardName
    self.isLaptop = isLaptop
  }
}
