internal import Foundation

/// The messages by which Home Assistant shows events as entities of one device, without settings of its own.
///
/// Source: [MQTT discovery](https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
package enum HomeAssistant {
  /// An entity of the device.
  package enum Entity: Sendable, Hashable {
    /// Something that is there or not: `motion`, `face` or `person`.
    case presence(String)
    /// The newest code.
    case code
    /// Whether the camera is away.
    case problem

    fileprivate var subject: String {
      switch self {
      case .presence(let subject): subject
      case .code: "code"
      case .problem: "camera"
      }
    }

    fileprivate var component: String { self == .code ? "sensor" : "binary_sensor" }

    fileprivate var settings: [String: String] {
      switch self {
      case .presence(let subject):
        [
          "name": subject.capitalized, "device_class": subject == "motion" ? "motion" : "occupancy",
          "value_template": "{{ 'ON' if value_json.present > 0 else 'OFF' }}",
        ]
      case .code:
        // A state has at most 255 letters.
        ["name": "Code", "icon": "mdi:qrcode-scan", "value_template": "{{ (value_json.text or '')[:255] }}"]
      case .problem:
        [
          "name": "Camera", "device_class": "problem", "entity_category": "diagnostic",
          "value_template": "{{ 'ON' if value_json.event == 'fault' else 'OFF' }}",
        ]
      }
    }
  }

  private struct Device: Encodable {
    var identifiers: [String]
    var name: String
    var manufacturer = "Obscura"
  }

  private struct Configuration: Encodable {
    var settings: [String: String]
    var device: Device

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in settings { try container.encode(value, forKey: Key(stringValue: name)) }
      try container.encode(device, forKey: Key(stringValue: "device"))
    }
  }

  /// The messages that announce entities whose events are published at an address.
  package static func announcements(_ entities: [Entity], at address: BrokerAddress) -> [Announcement] {
    let object = "obscura_\(address.folderName.replacing("-", with: "_").replacing(".", with: "_"))"
    let device = Device(identifiers: [object], name: address.topic)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return entities.compactMap { entity in
      var settings = entity.settings
      settings["unique_id"] = "\(object)_\(entity.subject)"
      settings["state_topic"] = address.topic(of: entity.subject)
      settings["json_attributes_topic"] = address.topic(of: entity.subject)
      settings["availability_topic"] = address.topic(of: Announcement.health)
      guard let payload = try? encoder.encode(Configuration(settings: settings, device: device)) else {
        return nil
      }
      return Announcement(
        topic: "homeassistant/\(entity.component)/\(object)/\(entity.subject)/config", payload: Array(payload)
      )
    }
  }
}
