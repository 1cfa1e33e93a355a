package import CaptureDevice
internal import Foundation
internal import Glibc
internal import Linux

/// A capture device that is not offered as a microphone, and why: for diagnosis.
package struct OmittedMicrophone: Sendable, Hashable {
  package var path: String
  /// One sentence.
  package var reason: String
  /// Set when the library refused.
  package var code: CaptureDeviceError.Code?
}

/// A microphone as its driver describes it.
package struct ProbedMicrophone: Sendable {
  /// `nil` for the one that a sound server offers.
  package var node: AudioNode?
  /// The PCM name that the library opens.
  package var pcmName: String
  package var facts: DeviceFacts
  /// The fewest channels that the device has; more are opened when fewer are asked for.
  package var leastChannels: Int
  /// False when another program held the device while it was probed: its formats are then the usual ones.
  package var formatsAreKnown: Bool
  /// The place that distinguishes it from others of the same serial number.
  package var place: String
}

/// The result of probing one node.
package enum ProbedAudioNode: Sendable {
  case microphone(ProbedMicrophone)
  case omitted(OmittedMicrophone)
}

/// Asks nodes what they are and what they can do.
package struct MicrophoneProbe: Sendable {
  let library: any AudioLibrary

  /// A probe through a library.
  package init(library: any AudioLibrary) {
    self.library = library
  }

  /// Looks at a node: opens it, asks, closes it.
  ///
  /// A microphone that another program holds is offered all the same, with the usual formats: it is there, and it may be free
  /// when it is wanted. Milliseconds.
  package func inspect(_ node: AudioNode) -> ProbedAudioNode {
    do throws(AudioRefusal) {
      let identity = try library.identity(of: node)
      let placement = library.placement(of: node)
      let name = Self.name(identity, placement)
      var probed = ProbedMicrophone(
        node: node, pcmName: node.pcmName, facts: Self.facts(name, node, identity, placement),
        leastChannels: 1, formatsAreKnown: false,
        place: placement.usb.map { "port-\($0.port)" } ?? "card-\(identity.cardID)")
      do throws(AudioRefusal) {
        let abilities = try abilities(of: node.pcmName)
        guard !abilities.encodings.isEmpty, !abilities.formats.isEmpty else {
          return .omitted(
            OmittedMicrophone(
              path: node.path,
              reason:
                "\(name) (\(node.path)) records in no format that is read here, which are 16, 24 and 32-bit "
                + "integers at the usual rates."))
        }
        probed.facts.audioFormats = abilities.formats
        probed.leastChannels = abilities.channels.lowerBound
        probed.formatsAreKnown = true
      } catch  where error.errno == EBUSY || error.errno == EAGAIN {
        // Its facts stay as they are.
      }
      return .microphone(probed)
    } catch {
      let failure = error.error(MicrophoneName("The microphone", node.path), "be examined") {
        library.holders(of: $0)
      }
      return .omitted(OmittedMicrophone(path: node.path, reason: failure.message, code: failure.code))
    }
  }

  /// The microphone that the desktop's sound server has chosen; `nil` where no server stands behind the library's default.
  ///
  /// The server lets several programs record at once, and follows the user's choice in the desktop's settings.
  package func inspectServer() -> ProbedMicrophone? {
    // Without a server, or one that does not answer, the microphones themselves are what there is.
    guard let abilities = try? abilities(of: "default"), abilities.isServed, !abilities.formats.isEmpty else {
      return nil
    }
    var facts = DeviceFacts(
      uniqueID: "mic-default", modelID: "Sound server", name: "Default Microphone", manufacturer: "",
      kind: .builtInMicrophone, position: .unspecified, media: [.audio], formats: [])
    facts.audioFormats = abilities.formats
    return ProbedMicrophone(
      node: nil, pcmName: "default", facts: facts, leastChannels: abilities.channels.lowerBound,
      formatsAreKnown: true, place: "")
  }

  private func abilities(of name: String) throws(AudioRefusal) -> AudioAbilities {
    let handle = try library.open(name)
    defer { library.close(handle) }
    return try library.abilities(handle)
  }

  // MARK: Facts

  private static func facts(
    _ name: String, _ node: AudioNode, _ identity: AudioIdentity, _ placement: AudioPlacement
  ) -> DeviceFacts {
    DeviceFacts(
      uniqueID: uniqueID(node, identity, placement),
      modelID: placement.usb.map { "USB Audio VendorID_\($0.vendor) ProductID_\($0.product)" }
        ?? "\(identity.driver) \(identity.deviceName)",
      name: name, manufacturer: placement.usb?.manufacturer ?? "",
      kind: placement.usb?.isFixed == false ? .externalMicrophone : .builtInMicrophone,
      position: .unspecified, media: [.audio], formats: [])
  }

  /// The same after replugging and rebooting: the USB serial number, else the place on the bus; never the card's number.
  private static func uniqueID(
    _ node: AudioNode, _ identity: AudioIdentity, _ placement: AudioPlacement
  ) -> String {
    var parts = ["mic"]
    if let usb = placement.usb {
      parts.append(String(format: "usb-%04x:%04x", Int(usb.vendor), Int(usb.product)))
      parts.append(usb.serial.isEmpty ? "port-\(usb.port)" : usb.serial)
    } else {
      parts.append(placement.bus.isEmpty ? identity.cardID : placement.bus)
    }
    if node.device != 0 { parts.append("device-\(node.device)") }
    return parts.joined(separator: "-")
  }

  /// The name for people: a USB device's own, the kind of a built-in one, else the card's name and the device's.
  private static func name(_ identity: AudioIdentity, _ placement: AudioPlacement) -> String {
    // Firmware for Intel's audio chips marks what it leaves to the user with a star.
    let device = identity.deviceName.replacing("(*)", with: "").trimmingCharacters(in: .whitespaces)
    if placement.usb != nil {
      let isPlain = device.isEmpty || device == "USB Audio" || device == identity.cardName
      return isPlain ? identity.cardName : "\(identity.cardName), \(device)"
    }
    if device.uppercased().contains("DMIC") { return "Built-in Microphone" }
    if identity.driver.hasPrefix("HDA") || identity.driver.hasPrefix("sof") {
      return "Built-in Audio, \(device)"
    }
    return device.isEmpty || device.hasPrefix(identity.cardName)
      ? identity.cardName : "\(identity.cardName), \(device)"
  }
}
