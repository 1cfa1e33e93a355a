// swift-tools-version: 6.2
import PackageDescription

// Stands for a package from elsewhere that knows nothing of Obscura.
let package = Package(
  name: "PortableLog",
  products: [.library(name: "PortableLog", targets: ["PortableLog"])],
  targets: [.target(name: "PortableLog")])
