import EventPublishing
import Foundation
import Testing

@Suite("Home Assistant")
struct HomeAssistantTests {
  private func announcements(_ entities: [HomeAssistant.Entity]) throws -> [(
    topic: String, values: [String: Any]
  )] {
    let address = try BrokerAddress("mqtt://broker/home/front%20door")
    return try HomeAssistant.announcements(entities, at: address).map { announcement in
      let object = try JSONSerialization.jsonObject(with: Data(announcement.payload))
      return (announcement.topic, try #require(object as? [String: Any]))
    }
  }

  @Test func `each entity names its topics, and all are of one device`() throws {
    let all = try announcements([.presence("motion"), .presence("person"), .code, .problem])
    #expect(
      all.map { $0.topic.split(separator: "/")[1] } == [
        "binary_sensor", "binary_sensor", "sensor", "binary_sensor",
      ])
    #expect(all.allSatisfy { $0.topic.hasPrefix("homeassistant/") && $0.topic.hasSuffix("/config") })
    #expect(
      all.map { $0.values["state_topic"] as? String }
        == ["motion", "person", "code", "camera"].map { "home/front door/\($0)" })
    #expect(all.allSatisfy { $0.values["availability_topic"] as? String == "home/front door/health" })
    #expect(Set(all.compactMap { $0.values["unique_id"] as? String }).count == 4)
    let devices = Set(all.compactMap { ($0.values["device"] as? [String: Any])?["identifiers"] as? [String] })
    #expect(devices.count == 1)
  }

  @Test func `a topic of discovery holds no letter that it may not`() throws {
    for announcement in try announcements([.code]) {
      let parts = announcement.topic.split(separator: "/")
      #expect(parts.count == 5)
      #expect(parts[2].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }, "\(parts[2])")
    }
  }
}
