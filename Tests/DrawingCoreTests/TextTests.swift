import DrawingCore
import Foundation
import GraphicsCore
import Linux
import Testing

@Suite("Text in contexts")
struct TextTests {
  @Test(arguments: ["Obscura", "사진관에서 찍은 사진", "مرحبا", "日本語", "😀"])
  func `letters of any script are drawn within the room that was measured`(text: String) {
    let attributes: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 40)]
    let size = text.size(withAttributes: attributes)
    #expect(size.width > 20 && size.height > 30 && size.height < 90)
    let canvas = Canvas(Int(size.width.rounded(.up)) + 40, Int(size.height.rounded(.up)) + 40)
    canvas.drawDown { text.draw(at: CGPoint(x: 20, y: 20), withAttributes: attributes) }
    #expect(canvas.inkCount > 100)
    // Nothing far outside: swashes may reach beyond by a few pixels.
    for y in 0..<canvas.context.height { #expect(canvas[2, y][3] == 0) }
    for x in 0..<canvas.context.width { #expect(canvas[x, 2][3] == 0) }
  }

  @Test func `Korean has letters of its own, not boxes`() {
    func picture(_ text: String) -> [[Int]] {
      let canvas = Canvas(60, 60)
      canvas.drawDown { text.draw(at: .zero, withAttributes: [.font: UIFont.systemFont(ofSize: 40)]) }
      return (0..<60).flatMap { y in (0..<60).map { canvas[$0, y] } }
    }
    #expect(picture("가") != picture("나"))
  }

  @Test(arguments: [true, false])
  func `letters have their colour, in both orders of bytes`(isRedFirst: Bool) {
    let canvas = Canvas(80, 80, isRedFirst: isRedFirst)
    canvas.drawDown {
      "█".draw(
        at: CGPoint(x: 10, y: 5),
        withAttributes: [.font: UIFont.systemFont(ofSize: 50), .foregroundColor: UIColor.orange])
    }
    let colors = Set((0..<80).map { canvas[25, $0] }.filter { $0[3] == 255 })
    #expect(colors == [[255, 128, 0, 255]])
  }

  @Test func `text is the right way up`() {
    let canvas = Canvas(60, 80)
    canvas.drawDown {
      "L".draw(at: CGPoint(x: 5, y: 5), withAttributes: [.font: UIFont.systemFont(ofSize: 60)])
    }
    func ink(_ rows: Range<Int>) -> Int {
      rows.reduce(0) { sum, y in sum + (0..<60).count { canvas[$0, y][3] > 128 } }
    }
    let rows = (0..<80).filter { y in (0..<60).contains { canvas[$0, y][3] > 128 } }
    let (top, bottom) = (rows.first ?? 0, rows.last ?? 0)
    // The foot of an L is below.
    #expect(ink(bottom - 4..<bottom) > 2 * ink(top..<top + 4))
  }

  @Test func `lines are broken at the edge, aligned, and cut off with an ellipsis`() {
    let font = UIFont.systemFont(ofSize: 20)
    let text = "one two three four five six"
    let whole = text.size(withAttributes: [.font: font])
    let narrow = text.boundingRect(
      with: CGSize(width: whole.width / 3, height: 0), options: .usesLineFragmentOrigin,
      attributes: [.font: font], context: nil)
    #expect(narrow.width <= whole.width / 3 && narrow.height > 2.5 * whole.height)
    let style = NSMutableParagraphStyle()
    style.alignment = .right
    let canvas = Canvas(200, 40)
    canvas.drawDown {
      "a".draw(
        in: CGRect(x: 0, y: 0, width: 200, height: 40), withAttributes: [.font: font, .paragraphStyle: style])
    }
    let columns = (0..<200).filter { x in (0..<40).contains { canvas[x, $0][3] > 0 } }
    #expect((columns.first ?? 0) > 170)
    style.lineBreakMode = .byTruncatingTail
    let cut = text.boundingRect(
      with: CGSize(width: 100, height: 0), options: .usesLineFragmentOrigin,
      attributes: [.font: font, .paragraphStyle: style], context: nil)
    #expect(cut.width <= 100 && cut.height < 1.5 * whole.height)
  }

  @Test func `only lines that fit into the rectangle are drawn`() {
    let font = UIFont.systemFont(ofSize: 20)
    let canvas = Canvas(200, 200)
    let line = "x".size(withAttributes: [.font: font]).height
    canvas.drawDown {
      "x\nx\nx\nx".draw(in: CGRect(x: 0, y: 0, width: 100, height: 2.2 * line), withAttributes: [.font: font])
    }
    let rows = (0..<200).filter { y in (0..<200).contains { canvas[$0, y][3] > 0 } }
    #expect((rows.last ?? 0) < Int(2 * line) && (rows.last ?? 0) > Int(1.3 * line))
  }

  @Test func `lines around, under and through letters, and what lies behind, are seen`() {
    func ink(_ attributes: [NSAttributedString.Key: Any]) -> Int {
      let canvas = Canvas(120, 60)
      let all = attributes.merging([.font: UIFont.systemFont(ofSize: 40)]) { $1 }
      canvas.drawDown { "nnn".draw(at: CGPoint(x: 5, y: 5), withAttributes: all) }
      return canvas.inkCount
    }
    let plain = ink([:])
    #expect(ink([.underlineStyle: NSUnderlineStyle.single.rawValue]) > plain + 80)
    #expect(ink([.strikethroughStyle: 1]) > plain)
    #expect(ink([.backgroundColor: UIColor.yellow]) > 2 * plain)
    #expect(ink([.strokeWidth: -8, .strokeColor: UIColor.red]) > plain + 100)
    let shadow = NSShadow()
    shadow.shadowOffset = CGSize(width: 6, height: 6)
    #expect(ink([.shadow: shadow]) > plain + 100)
    #expect(
      "nnn".size(withAttributes: [.kern: 10]).width > "nnn".size(withAttributes: nil).width + 15)
  }

  @Test func `a line alone leaves the inside of letters empty`() {
    let canvas = Canvas(100, 100)
    canvas.drawDown {
      "█".draw(
        at: CGPoint(x: 20, y: 10),
        withAttributes: [.font: UIFont.systemFont(ofSize: 60), .strokeWidth: 4, .strokeColor: UIColor.red])
    }
    let column = (0..<100).map { canvas[38, $0] }
    #expect(column.contains { $0[0] > 200 } && canvas[38, 50][3] < 10)
  }

  @Test func `the context's alpha counts for letters once, for lines around them and for their shadow`() {
    func darkest(_ attributes: [NSAttributedString.Key: Any], alpha: CGFloat) -> Int {
      let canvas = Canvas(80, 80)
      canvas.context.setAlpha(alpha)
      let all = attributes.merging([.font: UIFont.systemFont(ofSize: 50)]) { $1 }
      canvas.drawDown { "█".draw(at: CGPoint(x: 10, y: 5), withAttributes: all) }
      return (0..<80).map { canvas[25, $0][3] }.max() ?? 0
    }
    #expect(darkest([:], alpha: 1) == 255 && abs(darkest([:], alpha: 0.5) - 128) <= 1)
    let outlined: [NSAttributedString.Key: Any] = [.strokeWidth: -5, .strokeColor: UIColor.red]
    #expect(abs(darkest(outlined, alpha: 0.5) - 128) <= 1)
    let shadow = NSShadow()
    shadow.shadowColor = UIColor.black
    let behind = darkest([.shadow: shadow], alpha: 0.5)
    // Half of the letters over half of their shadow.
    #expect(abs(behind - 191) <= 2, "\(behind)")
  }

  @Test func `threads draw text beside each other, and the same`() {
    @Sendable func picture() -> [Int] {
      let canvas = Canvas(90, 30)
      canvas.drawDown {
        "빛 Obscura".draw(at: CGPoint(x: 2, y: 2), withAttributes: [.font: UIFont.boldSystemFont(ofSize: 15)])
      }
      return (0..<30).flatMap { y in (0..<90).map { canvas[$0, y][3] } }
    }
    let right = picture()
    let pictures = Locked<[[Int]]>([])
    DispatchQueue.concurrentPerform(iterations: 24) { _ in
      let drawn = picture()
      pictures.withLock { $0.append(drawn) }
    }
    #expect(pictures.withLock { $0.allSatisfy { $0 == right } } && right.contains(255))
  }

  @Test func `fonts tell their measures, and one that is not here is nil`() throws {
    let font = UIFont.systemFont(ofSize: 30)
    #expect(
      font.ascender > 20 && font.descender < -3
        && abs(font.lineHeight - font.ascender + font.descender) < 0.01)
    #expect(font.withSize(60).ascender > 1.8 * font.ascender)
    #expect(UIFont(name: "No Such Family 42", size: 12) == nil && UIFont(name: "", size: 12) == nil)
    #expect(UIFont(name: "Sans", size: 12) != nil)
    let again = try #require(UIFont(name: font.fontName, size: 30))
    #expect(again.familyName == font.familyName)
    let bold = UIFont.boldSystemFont(ofSize: 30)
    #expect(
      "mmmm".size(withAttributes: [.font: bold]).width > "mmmm".size(withAttributes: [.font: font]).width)
    let mono = UIFont.monospacedSystemFont(ofSize: 30, weight: .regular)
    #expect(
      abs("iii".size(withAttributes: [.font: mono]).width - "WWW".size(withAttributes: [.font: mono]).width)
        < 0.5)
  }

  @Test func `fonts and colours change inside of one text`() {
    let text = NSMutableAttributedString(
      string: "가AA", attributes: [.font: UIFont.systemFont(ofSize: 30), .foregroundColor: UIColor.red])
    text.addAttribute(.foregroundColor, value: UIColor.blue, range: NSRange(location: 2, length: 1))
    let canvas = Canvas(120, 60)
    canvas.drawDown { text.draw(at: CGPoint(x: 5, y: 5)) }
    let edge = Int(5 + "가A".size(withAttributes: [.font: UIFont.systemFont(ofSize: 30)]).width)
    func colors(_ columns: Range<Int>) -> Set<[Int]> {
      Set(columns.flatMap { x in (0..<60).map { canvas[x, $0] } }.filter { $0[3] == 255 })
    }
    #expect(colors(0..<edge) == [[255, 0, 0, 255]] && colors(edge..<120) == [[0, 0, 255, 255]])
  }

  @Test func `attributes that begin inside of a letter, empty letters and endless numbers harm nothing`() {
    let text = NSMutableAttributedString(string: "😀a\u{0}b가")
    text.addAttribute(.foregroundColor, value: UIColor.red, range: NSRange(location: 1, length: 2))
    text.addAttribute(.kern, value: CGFloat.nan, range: NSRange(location: 0, length: 4))
    text.addAttribute(.strokeWidth, value: CGFloat.infinity, range: NSRange(location: 2, length: 1))
    text.addAttribute(.font, value: "no font", range: NSRange(location: 2, length: 2))
    text.addAttribute(.underlineStyle, value: 1e300, range: NSRange(location: 0, length: 5))
    let style = NSMutableParagraphStyle()
    style.lineSpacing = .nan
    style.firstLineHeadIndent = -.infinity
    text.addAttribute(.paragraphStyle, value: style, range: NSRange(location: 0, length: 5))
    let canvas = Canvas(100, 40)
    canvas.drawDown {
      text.draw(at: .zero)
      text.draw(in: CGRect(x: 0, y: 0, width: -5, height: 10))
      text.draw(in: CGRect(x: 0, y: 0, width: CGFloat.greatestFiniteMagnitude, height: CGFloat.nan))
      text.draw(at: CGPoint(x: CGFloat.nan, y: 0))
    }
    #expect(canvas.inkCount > 0)
    #expect(
      UIFont.systemFont(ofSize: -3).pointSize == 12 && UIFont.systemFont(ofSize: .infinity).pointSize == 12)
  }

  @Test func `outside of drawing there is no context, and text is drawn nowhere`() {
    #expect(UIGraphicsGetCurrentContext() == nil)
    "x".draw(at: .zero, withAttributes: nil)
    UIGraphicsPopContext()
    #expect("".size(withAttributes: nil).width == 0)
  }
}
