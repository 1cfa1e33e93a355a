/// Two `Float`s.
///
/// Source: [simd_float2](https://developer.apple.com/documentation/simd/simd_float2).
public typealias simd_float2 = SIMD2<Float>
/// Three `Float`s, 16 bytes apart in arrays.
///
/// Source: [simd_float3](https://developer.apple.com/documentation/simd/simd_float3).
public typealias simd_float3 = SIMD3<Float>
/// Four `Float`s.
///
/// Source: [simd_float4](https://developer.apple.com/documentation/simd/simd_float4).
public typealias simd_float4 = SIMD4<Float>
/// Two `Double`s.
///
/// Source: [simd_double2](https://developer.apple.com/documentation/simd/simd_double2).
public typealias simd_double2 = SIMD2<Double>
/// Three `Double`s.
///
/// Source: [simd_double3](https://developer.apple.com/documentation/simd/simd_double3).
public typealias simd_double3 = SIMD3<Double>
/// Four `Double`s.
///
/// Source: [simd_double4](https://developer.apple.com/documentation/simd/simd_double4).
public typealias simd_double4 = SIMD4<Double>

/// The older name of ``simd_float2``.
public typealias vector_float2 = simd_float2
/// The older name of ``simd_float3``.
public typealias vector_float3 = simd_float3
/// The older name of ``simd_float4``.
public typealias vector_float4 = simd_float4

/// The sum of the products of two vectors' elements.
///
/// Source: [simd_dot](https://developer.apple.com/documentation/simd/simd_dot).
public func simd_dot<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
  (x * y).sum()
}

/// The vector at right angles to two others.
///
/// Source: [simd_cross](https://developer.apple.com/documentation/simd/simd_cross).
public func simd_cross(_ x: simd_float3, _ y: simd_float3) -> simd_float3 {
  simd_float3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
}

/// The length of a vector.
///
/// Source: [simd_length](https://developer.apple.com/documentation/simd/simd_length).
public func simd_length<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_dot(x, x).squareRoot()
}

/// The vector of length 1 in the same direction; of a vector without a length it has no number.
///
/// Source: [simd_normalize](https://developer.apple.com/documentation/simd/simd_normalize).
public func simd_normalize<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  x / simd_length(x)
}

/// Each element of `x` within the elements of `min` and `max`.
///
/// Apple: `simd_clamp(_:_:_:)`.
public func simd_clamp<Vector: SIMD>(_ x: Vector, _ min: Vector, _ max: Vector) -> Vector
where Vector.Scalar: Comparable {
  x.clamped(lowerBound: min, upperBound: max)
}

/// `x` within `min` and `max`.
///
/// Apple: `simd_clamp(_:_:_:)`.
public func simd_clamp(_ x: Float, _ min: Float, _ max: Float) -> Float {
  Swift.min(Swift.max(x, min), max)
}

/// `x` within `min` and `max`.
///
/// Apple: `simd_clamp(_:_:_:)`.
public func simd_clamp(_ x: Double, _ min: Double, _ max: Double) -> Double {
  Swift.min(Swift.max(x, min), max)
}
