import ALSADevices
import Testing

@Suite("ALSA: samples of sixteen bits")
struct SampleUnpackingTests {
  @Test func `samples are rounded to sixteen bits and cut off at full scale`() {
    let unpacking = SampleUnpacking(.integer32, from: 1, to: 1)
    let values: [Int32] = [0, 0x7FFF, 0x8000, -0x8000, -0x8001, .max, .min, 0x1234_8000]
    var result = [Int16](repeating: 99, count: values.count)
    values.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { unpacking.unpack(source, frames: values.count, into: $0) }
    }
    #expect(result == [0, 0, 1, 0, -1, .max, .min, 0x1235])
    #expect(SampleUnpacking(.integer16, from: 2, to: 2).isIdentity)
    #expect(!SampleUnpacking(.integer16, from: 4, to: 2).isIdentity)
  }
}
