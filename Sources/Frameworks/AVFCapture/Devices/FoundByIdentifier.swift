/// An object that its initialiser finds instead of making.
///
/// A class's own initialiser cannot give an object that exists; one of a protocol can, by assigning `self`.
public protocol FoundByIdentifier {}

extension FoundByIdentifier where Self: AVCaptureDevice {
  /// The one object of the connected device with the given identifier, or `nil` when none such is connected.
  ///
  /// Apple: `AVCaptureDevice.init(uniqueID:)`.
  public init?(uniqueID deviceUniqueID: String) {
    guard
      let device = DeviceRegistry.shared.connected().first(where: { $0.uniqueID == deviceUniqueID }) as? Self
    else { return nil }
    self = device
  }
}
