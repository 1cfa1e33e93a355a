import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing

@Suite("Kernels from source")
struct KernelTests {
  private static let unmanaged = CIContext(options: [.workingColorSpace: NSNull()])

  /// The pixels of `image` as numbers, rows from the top.
  private func numbers(_ image: CIImage?, width: Int, height: Int = 1) throws -> [SIMD4<Float>] {
    var pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
    let bounds = CGRect(x: 0, y: 0, width: width, height: height)
    try pixels.withUnsafeMutableBytes {
      Self.unmanaged.render(
        try #require(image), toBitmap: try #require($0.baseAddress), rowBytes: 16 * width, bounds: bounds,
        format: .RGBAf,
        colorSpace: nil)
    }
    return pixels
  }

  /// The four numbers of an expression, each in a pixel of its own: alpha would change colours on their way out.
  private func value(_ expression: String) throws -> SIMD4<Float> {
    let source = """
      kernel vec4 f() {
        vec4 v = vec4(\(expression));
        int place = int(destCoord().x);
        return vec4(vec3(v[place]), 1.0);
      }
      """
    let kernel = try #require(CIColorKernel(source: source), "\(expression)")
    let pixels = try numbers(
      kernel.apply(extent: CGRect(x: 0, y: 0, width: 4, height: 1), arguments: nil), width: 4)
    return SIMD4(pixels[0].x, pixels[1].y, pixels[2].z, pixels[3].x)
  }

  private static let meanings: [(String, [Float])] = [
    ("1.0, 2.0, 3.0, 4.0", [1, 2, 3, 4]),
    ("2.0 + 3.0 * 4.0", [14, 14, 14, 14]),
    ("(2.0 + 3.0) * -4.0", [-20, -20, -20, -20]),
    ("vec3(1.0, 2.0, 3.0) * 2.0, 1.0", [2, 4, 6, 1]),
    ("vec2(1.0, 2.0), vec2(3.0)", [1, 2, 3, 3]),
    ("7 / 2, 7.0 / 2.0, -7 / 2, 1e2", [3, 3.5, -3, 100]),
    ("vec4(1.0, 2.0, 3.0, 4.0).wzyx", [4, 3, 2, 1]),
    ("vec4(1.0, 2.0, 3.0, 4.0).bgr, vec4(5.0, 6.0, 7.0, 8.0)[3]", [3, 2, 1, 8]),
    ("1., 2.e1, 1.5e-1, 3.", [1, 20, 0.15, 3]),
    ("float(int(2.7)), float(vec2(3.0, 4.0)), 0.5f, .5", [2, 3, 0.5, 0.5]),
    (
      "dot(vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0)), length(vec2(3.0, 4.0)), distance(1.0, 3.5), 0.0",
      [32, 5, 2.5, 0]
    ),
    ("cross(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)), 1.0", [0, 0, 1, 1]),
    ("normalize(vec2(3.0, 4.0)), reflect(vec2(1.0, -1.0), vec2(0.0, 1.0))", [0.6, 0.8, 1, 1]),
    ("abs(-2.0), sign(-3.0), floor(-1.5), ceil(1.25)", [2, -1, -2, 2]),
    ("fract(-0.25), mod(-1.0, 3.0), min(2.0, 1.0), max(2.0, 1.0)", [0.75, 2, 1, 2]),
    ("clamp(5.0, 0.0, 2.0), mix(1.0, 3.0, 0.25), step(0.5, 0.4), step(0.5, 0.5)", [2, 1.5, 0, 1]),
    ("smoothstep(0.0, 1.0, 0.25), pow(2.0, 10.0), exp2(3.0), sqrt(9.0)", [0.15625, 1024, 8, 3]),
    ("compare(vec4(-1.0, 1.0, 0.0, -2.0), vec4(1.0), vec4(2.0))", [1, 2, 2, 1]),
    ("premultiply(vec4(1.0, 0.5, 0.25, 0.5))", [0.5, 0.25, 0.125, 0.5]),
    ("unpremultiply(vec4(0.5, 0.25, 0.125, 0.5))", [1, 0.5, 0.25, 0.5]),
    ("unpremultiply(vec4(0.0))", [0, 0, 0, 0]),
    (
      "true ? 1.0 : 2.0, false ? 1.0 : 2.0, 1.0 < 2.0 && !(2.0 <= 1.0) ? 5.0 : 6.0, 1 == 1 || false ? 7.0 : 8.0",
      [1, 2, 5, 7]
    ),
    (
      "vec2(1.0, 2.0) == vec2(1.0, 2.0) ? 1.0 : 0.0, vec2(1.0) != vec2(1.0, 2.0) ? 1.0 : 0.0, 3.0 >= 3.0 ? 1.0 : 0.0, 2.0 > 3.0 ? 1.0 : 0.0",
      [1, 1, 1, 0]
    ),
  ]

  @Test(arguments: meanings)
  func `says what the language means`(expression: String, expected: [Float]) throws {
    let found = try value(expression)
    #expect((0..<4).allSatisfy { abs(found[$0] - expected[$0]) < 1e-5 }, "\(expression): \(found)")
  }

  @Test func `computes what a library computes`() throws {
    #expect(
      try value("sin(0.5), cos(0.5), tan(0.5), asin(0.5)") == [sin(0.5), cos(0.5), tan(0.5), asin(0.5)])
    #expect(
      try value("acos(0.5), atan(0.5), atan(1.0, -2.0), exp(0.5)") == [
        acos(0.5), atan(0.5), atan2(1, -2), exp(0.5),
      ])
    #expect(try value("log(0.5), log2(0.5), inversesqrt(4.0), cos_(0.5)") == [log(0.5), -1, 0.5, cos(0.5)])
    #expect(try value("cossin(0.5), sincos_(0.5)") == [cos(0.5), sin(0.5), sin(0.5), cos(0.5)])
    let angles = try value("radians(180.0), degrees(3.14159265), 0.0, 0.0")
    #expect(abs(angles.x - .pi) < 1e-6 && abs(angles.y - 180) < 1e-4)
    // Half of the light is level 188 of 255.
    let curved = try value("linear_to_srgb(vec4(0.5, 0.0, 1.0, 0.25))")
    #expect(abs(curved.x * 255 - 187.5) < 0.1 && abs(curved.z - 1) < 1e-6 && curved.w == 0.25)
    #expect(abs(try value("srgb_to_linear(vec3(\(curved.x))), 0.0").x - 0.5) < 1e-5)
  }

  @Test func `a colour kernel changes each pixel by itself`() throws {
    let kernel = try #require(
      CIColorKernel(
        source: """
          // A threshold, and green that is told apart.
          const vec3 weights = vec3(0.2126, 0.7152, 0.0722);
          float brightness(vec3 color) { return dot(color, weights); }
          kernel vec4 threshold(__sample s, float limit, vec2 low_high, __color tint) {
            float v = brightness(s.rgb);
            if (s.g > s.r && s.g > s.b) { return tint; } else if (v < limit) { v = low_high.x; } else v = low_high[1];
            vec4 result = vec4(vec3(v), 1.0);
            result.rg *= 0.5;
            result.a -= 0.5;
            return result;
          }
          """))
    #expect(kernel.name == "threshold")
    let grid = Grid.asymmetric(300, 3)
    let tint = CIColor(red: 0.125, green: 0.25, blue: 0.5, alpha: 0.5)
    let image = try grid.image
    let result = try numbers(
      kernel.apply(extent: image.extent, arguments: [image, 0.4, CIVector(x: 0.25, y: 1), tint]), width: 300,
      height: 3)
    for (pixel, found) in zip(grid.pixels, result) {
      let color = SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue)) / 255
      let value: Float = color.x * 0.2126 + color.y * 0.7152 + color.z * 0.0722 < 0.4 ? 0.25 : 1
      let isGreen = pixel.green > pixel.red && pixel.green > pixel.blue
      #expect(found == (isGreen ? [0.125, 0.25, 0.5, 0.5] : [value / 2, value / 2, value, 0.5]))
    }
  }

  @Test func `loops, branches and early returns go their own way in each pixel`() throws {
    let kernel = try #require(
      CIColorKernel(
        source: """
          float digits(float n) {
            float count = 0.0;
            if (n < 1.0) return 1.0;
            while (n >= 1.0) { n = floor(n / 10.0); count++; }
            return count;
          }
          kernel vec4 count() {
            float x = floor(destCoord().x);
            float sum = 0.0;
            for (int i = 1; i <= int(x); ++i) { if (mod(float(i), 2.0) == 0.0) sum += float(i); }
            int halvings = 0;
            float left = x;
            do { left /= 2.0; halvings++; } while (left >= 1.0);
            return vec4(sum, digits(x), halvings, 1.0);
          }
          """))
    let result = try numbers(
      kernel.apply(extent: CGRect(x: 0, y: 0, width: 140, height: 1), arguments: []), width: 140)
    for (x, found) in result.enumerated() {
      let even = stride(from: 2, through: x, by: 2).reduce(0, +)
      var (left, halvings) = (Float(x), 0)
      repeat { (left, halvings) = (left / 2, halvings + 1) } while left >= 1
      #expect(found == [Float(even), Float("\(x)".count), Float(halvings), 1], "pixel \(x)")
    }
  }

  @Test func `a kernel looks up images between their pixels, and finds nothing beyond`() throws {
    let kernel = try #require(
      CIKernel(
        source: """
          kernel vec4 motion(sampler image, vec2 velocity, float count) {
            vec4 sum = vec4(0.0);
            vec2 place = samplerTransform(image, destCoord());
            for (float i = 0.0; i < count; i += 1.0) { sum += sample(image, place + velocity * i); }
            return sum / count;
          }
          """))
    let grid = Grid.asymmetric(40, 30)
    let image = try grid.image
    let result = try numbers(
      kernel.apply(
        extent: image.extent,
        roiCallback: { index, rect in index == 0 ? rect.insetBy(dx: -8, dy: -8) : .null },
        arguments: [image, CIVector(x: 1.5, y: -1), 4]), width: 40, height: 30)
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      guard (0..<40).contains(x), (0..<30).contains(y) else { return .zero }
      let pixel = grid[x, y]
      return SIMD4(Float(pixel.red), Float(pixel.green), Float(pixel.blue), 255) / 255
    }
    for y in 0..<30 {
      for x in 0..<40 {
        // Rows from the top grow against the kernel's y.
        let sum = (0..<4).reduce(SIMD4<Float>.zero) { sum, i in
          let left = x + 3 * i / 2
          return sum
            + (i % 2 == 0 ? pixel(left, y + i) : (pixel(left, y + i) + pixel(left + 1, y + i)) / 2)
        }
        let apart = result[y * 40 + x] - sum / 4
        #expect(apart.max() < 1e-5 && apart.min() > -1e-5, "\(x) \(y)")
      }
    }
  }

  @Test func `a kernel that asks for all of an image is given it`() throws {
    let kernel = try #require(
      CIKernel(
        source: """
          kernel vec4 turned(sampler image) {
            vec4 extent = samplerExtent(image);
            return sample(image, samplerOrigin(image) * 2.0 + samplerSize(image) - destCoord() + extent.xy * 0.0);
          }
          """))
    let grid = Grid.asymmetric(600, 400)
    let image = try grid.image
    let result = try #require(
      kernel.apply(extent: image.extent, roiCallback: { _, _ in image.extent }, arguments: [image]))
    let found = Grid(
      try #require(
        CIContext(options: [.workingColorSpace: NSNull()]).createCGImage(result, from: image.extent)))
    #expect(found == Grid(width: 600, height: 400) { x, y in grid[599 - x, 399 - y] })
  }

  @Test func `a warp sees the image where the kernel says`() throws {
    let kernel = try #require(
      CIWarpKernel(
        source: "kernel vec2 mirror(float width) { vec2 p = destCoord(); p.x = width - p.x; return p; }"))
    let grid = Grid.asymmetric(70, 20)
    let image = try grid.image
    let result = try #require(
      kernel.apply(extent: image.extent, roiCallback: { _, rect in rect }, image: image, arguments: [70]))
    let found = Grid(try #require(Self.unmanaged.createCGImage(result, from: image.extent)))
    #expect(found == Grid(width: 70, height: 20) { x, y in grid[69 - x, y] })
  }

  @Test func `any part of a picture is the part of the whole, film's grain too`() throws {
    let kernel = try #require(
      CIColorKernel(
        source: """
          kernel vec4 grain(__sample s, float amount, float size) {
            vec2 p = floor(destCoord() / max(size, 0.5));
            float n = fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
            float weight = 0.35 + 0.65 * (1.0 - abs(dot(s.rgb, vec3(0.2126, 0.7152, 0.0722)) * 2.0 - 1.0));
            return vec4(clamp(s.rgb + n * amount * weight, 0.0, 1.0), s.a);
          }
          """))
    let image = try Grid.asymmetric(700, 200).image
    let result = try #require(kernel.apply(extent: image.extent, arguments: [image, 0.3, 1.5]))
    let context = CIContext()
    let whole = Grid(try #require(context.createCGImage(result, from: image.extent)))
    let part = Grid(
      try #require(context.createCGImage(result, from: CGRect(x: 261, y: 67, width: 300, height: 101))))
    #expect(part == Grid(width: 300, height: 101) { x, y in whole[261 + x, 200 - 67 - 101 + y] })
    #expect(Set(whole.pixels.map(\.green)).count > 200)
  }

  @Test func `a kernel over a wide blur shows the blur, and its parts are those of the whole`() throws {
    let kernel = try #require(
      CIColorKernel(source: "kernel vec4 second(__sample a, __sample b) { return b; }"))
    let image = try Grid.asymmetric(500, 300).image
    let blurred = image.clampedToExtent().applyingGaussianBlur(sigma: 12).cropped(to: image.extent)
    let result = try #require(kernel.apply(extent: image.extent, arguments: [image, blurred]))
    let context = CIContext()
    let whole = Grid(try #require(context.createCGImage(result, from: image.extent)))
    #expect(whole == Grid(try #require(context.createCGImage(blurred, from: image.extent))))
    let part = Grid(
      try #require(context.createCGImage(result, from: CGRect(x: 131, y: 70, width: 301, height: 99))))
    #expect(part == Grid(width: 301, height: 99) { x, y in whole[131 + x, 300 - 70 - 99 + y] })
  }

  @Test func `positions that are as far away as numbers go are beyond every image`() throws {
    let image = try Grid.asymmetric(40, 30).image
    let everywhere = CIImage(color: .red)
    let bounds = CGRect(x: 0, y: 0, width: 40, height: 30)
    for factor in ["1e9", "1e30", "3e38", "(1.0 / 0.0)"] {
      let warp = try #require(
        CIWarpKernel(source: "kernel vec2 far() { return (destCoord() + 1.0) * \(factor); }"))
      let warped = try #require(
        warp.apply(extent: bounds, roiCallback: { _, rect in rect }, image: image, arguments: nil))
      #expect(try numbers(warped, width: 40, height: 30).allSatisfy { $0 == .zero })
      let sampler = try #require(
        CIKernel(
          source: "kernel vec4 far(sampler s) { return sample(s, (destCoord() + 1.0) * \(factor)); }"))
      let sampled = try #require(
        sampler.apply(extent: bounds, roiCallback: { _, rect in rect }, arguments: [image]))
      #expect(try numbers(sampled, width: 40, height: 30).allSatisfy { $0 == .zero })
      // An image without end is asked for a part that no memory holds.
      let endless = try #require(
        sampler.apply(
          extent: bounds, roiCallback: { _, _ in CGRect(x: -1e12, y: -1e12, width: 2e12, height: 2e12) },
          arguments: [everywhere]))
      #expect(try numbers(endless, width: 40, height: 30).count == 1200)
    }
  }

  @Test func `a colour comes in the working space, light`() throws {
    let kernel = try #require(CIColorKernel(source: "kernel vec4 flat(__color c) { return premultiply(c); }"))
    let image = try #require(
      kernel.apply(
        extent: CGRect(x: 0, y: 0, width: 2, height: 2),
        arguments: [CIColor(red: 0.5, green: 0, blue: 1, alpha: 0.5)]))
    let found = Grid(try #require(CIContext().createCGImage(image, from: image.extent)))
    #expect(found[1, 1].isClose(to: Pixel(red: 64, green: 0, blue: 128, alpha: 128)))
  }

  @Test func `each kernel of a source is of its kind`() throws {
    let kernels = try #require(
      CIKernel.makeKernels(
        source: """
          vec4 half(vec4 c) { return c * 0.5; }
          kernel vec4 color(__sample s) { return half(s); }
          kernel vec2 warp() { return destCoord(); }
          kernel vec4 any(sampler s) { return sample(s, samplerCoord(s)); }
          """))
    #expect(kernels.map(\.name) == ["color", "warp", "any"])
    #expect(kernels[0] is CIColorKernel && kernels[1] is CIWarpKernel)
    #expect(!(kernels[2] is CIColorKernel) && !(kernels[2] is CIWarpKernel))
  }

  @Test(arguments: [
    "", "vec4 f() { return vec4(1.0); }", "kernel vec4 f() { return vec4(1.0); ",
    "kernel vec4 f() { return 1.0; }",
    "kernel vec4 f() { return vec4(x); }", "kernel vec4 f() { return vec3(1.0).xyzw; }", "kernel vec4 f( { }",
    "kernel vec4 f() { float a = vec2(1.0); return vec4(a); }",
    "kernel vec4 f() { return vec4(vec2(1.0), 1.0); }",
    "kernel vec4 f() { for (;;) { break; } return vec4(1.0); }",
    "kernel vec4 f() { mat2 m; return vec4(1.0); }",
    "float g(float x) { return g(x); } kernel vec4 f() { return vec4(g(1.0)); }",
    "kernel vec4 f() { if (1.0) return vec4(1.0); }",
    "kernel vec4 f() { return vec4(sin(1.0, 2.0)); }", "kernel vec4 f() { 1.0 = 2.0; return vec4(1.0); }",
    "#define X",
    "kernel vec4 f(sampler s) { return sample(s, samplerCoord(s)); }",
    "kernel vec2 f() { return destCoord(); }", "/*",
    "kernel vec4 f() { return vec4(1.0) + vec3(1.0); }", "kernel void f() { }",
    "kernel vec4 f() { float a[2]; return vec4(1.0); }",
  ])
  func `what is no colour kernel makes none`(source: String) {
    #expect(CIColorKernel(source: source) == nil)
  }

  @Test func `no source ends the process, however it is cut off`() {
    let source =
      "kernel vec4 f(__sample s, float a) { vec4 c = s.bgra; for (int i = 0; i < 3; i++) { c[1] += a / 2.0; } return c > 1 ? c : -c; }"
    for length in 0..<source.count {
      _ = CIKernel.makeKernels(source: String(source.prefix(length)))
      _ = CIKernel.makeKernels(source: String(source.dropFirst(length)))
    }
  }

  @Test func `a source without measure is refused`() {
    let deep = String(repeating: "(", count: 100_000)
    #expect(CIColorKernel(source: "kernel vec4 f() { return vec4(\(deep)1.0); }") == nil)
    let blocks = String(repeating: "{", count: 100_000)
    #expect(CIColorKernel(source: "kernel vec4 f() { \(blocks) }") == nil)
    let doubling = (1...30).map { "float f\($0)(float x) { return f\($0 - 1)(x) + f\($0 - 1)(x); }\n" }
      .joined()
    #expect(
      CIColorKernel(
        source: "float f0(float x) { return x; }\n\(doubling)kernel vec4 k() { return vec4(f30(1.0)); }")
        == nil)
    #expect(CIColorKernel(source: "kernel vec4 f() { return vec4(vec4(1.0)[99999999999999999999]); }") == nil)
  }

  @Test func `arguments that do not fit are a mistake, and make no image`() throws {
    let kernel = try #require(CIColorKernel(source: "kernel vec4 f(__sample s, vec3 v) { return s * v.x; }"))
    let image = try Grid.asymmetric(2, 2).image
    for arguments: [Any] in [
      [], [image], [image, 1.0], [1.0, CIVector(x: 1, y: 2, z: 3)], [image, CIVector(x: 1, y: 2)],
      [image, CIVector(x: 1, y: 2, z: 3), 1],
    ] {
      var result: CIImage?
      let mistakes = ProgrammingMistake.collect {
        result = kernel.apply(extent: image.extent, arguments: arguments)
      }
      #expect(result == nil && mistakes.count == 1)
    }
    #expect(
      kernel.apply(extent: .null, arguments: [image, CIVector(x: 1, y: 2, z: 3)])?.extent.isNull == true)
  }

  @Test func `a loop without end is ended`() throws {
    let kernel = try #require(
      CIColorKernel(source: "kernel vec4 f() { float x = 0.5; while (true) { x = 0.75; } return vec4(x); }"))
    let result = try numbers(
      kernel.apply(extent: CGRect(x: 0, y: 0, width: 1, height: 1), arguments: nil), width: 1)
    #expect(result.count == 1)
  }
}
