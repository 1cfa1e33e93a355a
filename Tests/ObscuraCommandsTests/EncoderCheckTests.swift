import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura doctor: encoders")
  struct EncoderCheckTests {
    @Test func `each encoder is listed, with the reason of each refusal, and the one that serves`() throws {
      let run = try Run("doctor", "--devices", "simulated", "--json")
      let findings = try #require(try run.json().first?["findings"] as? [[String: Any]])
      let texts = findings.filter { $0["subject"] as? String == "encoders" }.compactMap {
        $0["text"] as? String
      }
      for name in ["h264_vaapi", "h264_v4l2m2m", "libx264", "hevc_vaapi", "hevc_v4l2m2m", "libx265"] {
        #expect(texts.contains { $0.contains(name) }, "\(name)")
      }
      #expect(texts.contains { $0.hasPrefix("Movies are coded as H.264 by ") })
      // A refusal says why.
      #expect(texts.filter { $0.contains("cannot be used: ") }.allSatisfy { $0.count > 45 })
    }

    @Test func `what decodes live pictures is said, with the reasons why the hardware does not`() throws {
      let run = try Run("doctor", "--devices", "simulated", "--json")
      let findings = try #require(try run.json().first?["findings"] as? [[String: Any]])
      let texts = findings.filter { $0["subject"] as? String == "decoders" }.compactMap {
        $0["text"] as? String
      }
      #expect(texts.count == 2)
      for (text, codec) in zip(texts, ["H.264", "HEVC"]) {
        let byProcessor = "Live \(codec) is decoded by the processor (VAAPI: "
        #expect(
          text.hasPrefix("Live \(codec) goes to VAAPI first")
            || text.hasPrefix(byProcessor) && text.count > byProcessor.count + 10,
          "\(text)")
      }
    }
  }
}
