import Testing
import simd

@Suite("simd_clamp")
struct ClampTests {
  @Test func `each element stays within its own bounds`() {
    let clamped = simd_clamp(simd_float3(-1, 0.5, 9), simd_float3(0, 0, 0), simd_float3(1, 1, 2))
    #expect(clamped == simd_float3(0, 0.5, 2))
  }

  @Test func `a single number stays within its bounds`() {
    #expect(simd_clamp(Float(3), 0, 1) == 1)
    #expect(simd_clamp(-3.5, -2, 1) == -2)
    #expect(simd_clamp(0.25, 0, 1) == 0.25)
  }
}
