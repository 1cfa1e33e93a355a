import EventPublishing
import Testing

@Suite("Addresses of brokers")
struct BrokerAddressTests {
  @Test func `an address says where, as whom and under which topic`() throws {
    let address = try BrokerAddress("mqtt://gate@home.example:2883/house/front%20door/")
    #expect(address.host == "home.example" && address.port == 2883 && address.user == "gate")
    #expect(address.topic == "house/front door" && !address.isEncrypted)
    #expect(address.topic(of: "motion") == "house/front door/motion")
  }

  @Test func `the port is the usual one of each scheme`() throws {
    #expect(try BrokerAddress("mqtt://broker/a").port == 1883)
    let encrypted = try BrokerAddress("MQTTS://[::1]/a")
    #expect(encrypted.port == 8883 && encrypted.isEncrypted && encrypted.host == "::1")
  }

  @Test func `a password is refused, and the sentence says why without it`() {
    let error = #expect(throws: PublishingError.self) { try BrokerAddress("mqtt://gate:secret@broker/a") }
    #expect(error?.description.contains("--login") == true)
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: [
    "", "broker", "http://broker/a", "mqtt://", "mqtt:///a", "mqtt://broker", "mqtt://broker/",
    "mqtt://broker/a/#",
    "mqtt://broker/a/+/b", "mqtt://broker:0/a", "mqtt://broker:70000/a", "mqtt://broker/$SYS",
    "mqtt://broker/a?b",
    "mqtt://broker/a%0Ab",
  ])
  func `what is no address, or no plain topic, is refused`(text: String) {
    #expect(throws: PublishingError.self) { try BrokerAddress(text) }
  }

  @Test func `each broker, user and topic has a folder of its own, whose name is plain`() throws {
    let names = try ["mqtt://a/x/y", "mqtt://b/x/y", "mqtt://u@a/x/y", "mqtts://a/x/y", "mqtt://a/x_y"].map {
      try BrokerAddress($0).folderName
    }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { !$0.contains("/") })
  }
}

@Suite("Logins of brokers")
struct BrokerLoginTests {
  @Test func `a file names user, password and certificates`() throws {
    let login = try BrokerLogin(text: "# the gate\nuser=gate\npassword=a=b c\n\nca=/etc/ca.pem\n")
    #expect(login.user == "gate" && login.password == "a=b c" && login.certificates == "/etc/ca.pem")
  }

  @Test(arguments: ["secret", "user=", "user=a\nuser=b", "pass=secret"])
  func `another line is refused by its number, not by what it holds`(text: String) {
    let error = #expect(throws: PublishingError.self) { try BrokerLogin(text: text) }
    #expect(error?.description.contains("line ") == true)
    #expect(error?.description.contains("secret") == false)
  }
}
