import CameraModel
import Foundation
import GTKKit

/// Draws the marks over the picture: the grid, the aim, codes and their region, the place whose distance is shown.
@MainActor
struct Marks {
  let pen: Pen
  let place: PicturePlace

  func draw(_ state: CameraState, _ settings: Settings) {
    guard place.width > 0, state.availability.isRunning else { return }
    let frame = place.part(state.crop)
    if frame != place { cover(around: frame) }
    if settings.showsGrid, state.mode == .photo { grid(settings.guide, in: frame) }
    if state.mode == .scan { scan(state.scan) }
    if state.mode == .depth, !state.depth.showsCloud, !state.lacksDepth { cross(state.depth.place) }
    if let aim = state.aim { draw(aim) }
  }

  /// Covers what a photo would not have, in the stage's colour.
  private func cover(around frame: PicturePlace) {
    pen.color(0.047, 0.047, 0.055)
    // A pixel more on each side: the picture's edge may lie between two.
    pen.rectangle(place.x - 1, place.y - 1, place.width + 2, place.height + 2)
    let (x, y) = (frame.x.rounded(), frame.y.rounded())
    pen.rectangle(x, y, (frame.x + frame.width).rounded() - x, (frame.y + frame.height).rounded() - y)
    pen.fillBetween()
  }

  private func grid(_ guide: Settings.Guide, in frame: PicturePlace) {
    func line(_ from: (Double, Double), _ to: (Double, Double)) {
      let (one, other) = (frame.point(from.0, from.1), frame.point(to.0, to.1))
      pen.move(one.x.rounded() + 0.5, one.y.rounded() + 0.5)
      pen.line(other.x.rounded() + 0.5, other.y.rounded() + 0.5)
    }
    func lines(at shares: [Double]) {
      for share in shares {
        line((share, 0), (share, 1))
        line((0, share), (1, share))
      }
    }
    for (width, alpha) in [(2.5, 0.22), (1.0, 0.7)] {
      pen.width(width)
      pen.color(width > 2 ? 0 : 1, width > 2 ? 0 : 1, width > 2 ? 0 : 1, alpha)
      switch guide {
      case .thirds: lines(at: [1.0 / 3, 2.0 / 3])
      // The shorter part is to the longer as the longer is to the whole.
      case .golden: lines(at: [0.381_966, 0.618_034])
      case .middle: lines(at: [0.5])
      case .diagonals:
        line((0, 0), (1, 1))
        line((1, 0), (0, 1))
      }
      pen.stroke()
    }
  }

  private func draw(_ aim: Aim) {
    let (x, y) = place.point(aim.x, aim.y)
    let half = aim.isAdjusting ? 40.0 : 34.0
    pen.width(2)
    pen.color(0.97, 0.89, 0.36, aim.isAdjusting ? 1 : 0.85)
    pen.rounded(x - half, y - half, half * 2, half * 2, radius: 6)
    for (dx, dy) in [(0.0, -1.0), (0, 1), (-1, 0), (1, 0)] {
      pen.move(x + dx * half, y + dy * half)
      pen.line(x + dx * (half - 7), y + dy * (half - 7))
    }
    pen.stroke()
  }

  private func scan(_ scan: ScanState) {
    let region = scan.region
    let (x, y) = place.point(region.minX, region.minY)
    let (width, height) = (region.width * place.width, region.height * place.height)
    pen.color(0, 0, 0, 0.45)
    pen.rectangle(place.x, place.y, place.width, place.height)
    pen.rounded(x, y, width, height, radius: 18)
    pen.fillBetween()
    corners(x, y, width, height)
    for code in scan.codes { outline(code, isHit: scan.hit != nil) }
  }

  private func corners(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    let (radius, arm) = (18.0, 18.0)
    pen.width(4)
    pen.roundEnds()
    pen.color(1, 1, 1, 0.95)
    for (cx, cy, dx, dy, start) in [
      (x, y, 1.0, 1.0, Double.pi), (x + width, y, -1, 1, .pi * 1.5), (x + width, y + height, -1, -1, 0),
      (x, y + height, 1, -1, .pi / 2),
    ] {
      pen.circle(cx + dx * radius, cy + dy * radius, radius: radius, from: start, to: start + .pi / 2)
      pen.stroke()
      pen.move(cx + dx * radius, cy)
      pen.line(cx + dx * (radius + arm), cy)
      pen.move(cx, cy + dy * radius)
      pen.line(cx, cy + dy * (radius + arm))
      pen.stroke()
    }
  }

  private func outline(_ code: FoundCode, isHit: Bool) {
    guard let first = code.corners.first else { return }
    func path() {
      let start = place.point(first.x, first.y)
      pen.move(start.x, start.y)
      for corner in code.corners.dropFirst() {
        let point = place.point(corner.x, corner.y)
        pen.line(point.x, point.y)
      }
      pen.close()
    }
    pen.color(0.97, 0.89, 0.36, isHit ? 0.25 : 0.12)
    path()
    pen.fill()
    pen.width(4)
    pen.roundEnds()
    pen.color(0.97, 0.89, 0.36)
    path()
    pen.stroke()
  }

  private func cross(_ at: CGPoint) {
    let (x, y) = place.point(at.x, at.y)
    for (width, white) in [(4.0, 0.0), (2.0, 1.0)] {
      pen.width(width)
      pen.color(white, white, white, white > 0 ? 1 : 0.5)
      pen.circle(x, y, radius: 12)
      for (dx, dy) in [(0.0, -1.0), (0, 1), (-1, 0), (1, 0)] {
        pen.move(x + dx * 7, y + dy * 7)
        pen.line(x + dx * 18, y + dy * 18)
      }
      pen.stroke()
    }
  }
}
