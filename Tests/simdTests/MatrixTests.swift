import Foundation
import Testing
import simd

@Suite("Matrices")
struct MatrixTests {
  private static let matrix = simd_float3x3(rows: [
    simd_float3(1, 2, 3), simd_float3(0, 4, 5), simd_float3(1, 0, 6),
  ])

  @Test func `elements are named by column and row, and rows are what init(rows:) says`() {
    var matrix = Self.matrix
    #expect(matrix[2, 0] == 3 && matrix[0, 2] == 1 && matrix.columns.1 == simd_float3(2, 4, 0))
    matrix[2, 0] = 9
    matrix[1] = simd_float3(7, 7, 7)
    #expect(matrix.columns.2 == simd_float3(9, 5, 6) && matrix.columns.1 == simd_float3(7, 7, 7))
    #expect(matrix != Self.matrix)
    #expect(simd_float3x3([matrix[0], matrix[1], matrix[2]]) == matrix)
    #expect(simd_float3x3() == simd_float3x3(0) && simd_float3x3(1) == matrix_identity_float3x3)
    #expect("\(simd_float3x3(2))" == "simd_float3x3([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])")
  }

  @Test func `memory is column by column, sixteen bytes each`() {
    #expect(MemoryLayout<matrix_float3x3>.size == 48)
    let data = withUnsafeBytes(of: Self.matrix) { Data($0) }
    let floats = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(floats[0...2] == [1, 0, 1] && floats[4...6] == [2, 4, 0] && floats[8...10] == [3, 5, 6])
  }

  @Test func `products, the determinant and the inverse`() {
    let matrix = Self.matrix
    #expect(matrix * simd_float3(1, 1, 1) == simd_float3(6, 9, 7))
    #expect(simd_float3(1, 1, 1) * matrix == simd_float3(2, 6, 14))
    // 1·(4·6 − 5·0) − 2·(0·6 − 5·1) + 3·(0·0 − 4·1)
    #expect(matrix.determinant == 22 && simd_determinant(matrix) == 22)
    let square = simd_mul(matrix, matrix)
    #expect(square * simd_float3(1, 2, 3) == matrix * simd_mul(matrix, simd_float3(1, 2, 3)))
    let one = matrix * simd_inverse(matrix)
    for column in 0..<3 {
      #expect(simd_length(one[column] - matrix_identity_float3x3[column]) < 1e-5)
    }
    #expect(matrix - matrix == simd_float3x3() && matrix + matrix == matrix * 2 && 2 * matrix == matrix * 2)
    #expect(simd_transpose(simd_transpose(matrix)) == matrix && matrix.transpose[0] == simd_float3(1, 2, 3))
  }

  @Test func `vectors have lengths and right angles`() {
    #expect(simd_length(simd_float3(2, 3, 6)) == 7)
    #expect(simd_dot(simd_double2(1, 2), simd_double2(3, 4)) == 11)
    #expect(simd_cross(simd_float3(1, 0, 0), simd_float3(0, 1, 0)) == simd_float3(0, 0, 1))
    #expect(simd_normalize(simd_float2(3, 4)) == simd_float2(0.6, 0.8))
  }
}
