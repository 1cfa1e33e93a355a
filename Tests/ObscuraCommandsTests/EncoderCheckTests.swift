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

    @Test func `a word that names no decoder is a problem, and the others count`() throws {
      func texts(_ words: String, isProblem: Bool) throws -> [String] {
        let run = try Run(
          ["doctor", "--devices", "simulated", "--json"], environment: ["OBSCURA_DECODERS": words])
        #expect(run.exitCode == .done)
        let findings = try #require(try run.json().first?["findings"] as? [[String: Any]])
        return findings.filter {
          $0["subject"] as? String == "decoders" && $0["isProblem"] as? Bool == isProblem
        }.compactMap { $0["text"] as? String }
      }
      let problems = try texts("vapi, v4l2", isProblem: true)
      #expect(
        problems.count == 1 && problems[0].hasPrefix("No decoder of live pictures is called 'vapi', "))
      #expect(try texts("none", isProblem: true).isEmpty)
      #expect(
        try texts("none", isProblem: false) == [
          "Live H.264 is decoded by the processor.", "Live HEVC is decoded by the processor.",
        ])
    }
  }
}
