"""What a reader's browser makes of a page: nothing leaves it or breaks; it fits, it sorts, it can be taken away."""

import io
import re
from itertools import pairwise
from urllib.parse import quote

import pandas as pd
import pytest

NARROW, WIDE = {"width": 400, "height": 800}, {"width": 1400, "height": 900}
SCREEN = {"width": 1280, "height": 900}
LEGIBLE = 9  # pixels of a line of text
MOST_SCREENS = 12  # of a page before anything is unfolded
SAYS_WHY = re.compile("not apply|nothing to compare|no times on both sides|not measured")
SECTIONS = """() => [...document.querySelectorAll("main h2[id]")].map(heading => {
  const shown = [];
  for (let next = heading; (next = next.nextElementSibling) && next.tagName !== "H2"; ) shown.push(next);
  const drawn = shown.some(one => one.matches("figure, pre, :has(figure), :has(pre)"));
  return [heading.id, drawn, shown.map(one => one.innerText).join(" ")];
})"""
PRESS_EVERY_HEADING = """() => [...document.querySelectorAll("th[aria-sort]")].map(head => {
  const cells = () => [...head.closest("table").tBodies[0].rows].map(row => row.cells[head.cellIndex]);
  const read = () => cells().map(cell => cell.dataset.value ?? cell.textContent);
  const press = () => { head.querySelector("button").click(); return [head.ariaSort, read()]; };
  return [head.textContent, head.classList.contains("number"), read(), [press(), press()]];
})"""
NAMED = "button, a[href], [role=img], [role=region], [role=group]"
UNLABELLED = """named => [...document.querySelectorAll(named)].filter(one => {
  const title = one.querySelector("title")?.textContent;
  return !(one.textContent.trim() || one.ariaLabel || title || one.getAttribute("aria-labelledby"));
}).map(one => one.outerHTML.slice(0, 200))"""
CONTRAST = """() => {
  const linear = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = colour => {
    const [red, green, blue] = colour.match(/[0-9.]+/g).map(value => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const inks = ["body", "nav a", "figcaption", "blockquote", "td", "svg"].map(kind => document.querySelector(kind));
  const ratios = inks.filter(Boolean).map(one => light(getComputedStyle(one).color) / paper);
  return Math.min(...ratios.map(ratio => Math.max(ratio, 1 / ratio)));
}"""


def unfold(page):
    """Open all that is folded, at once: the page is laid out anew after each step."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


def test_nothing_breaks_and_nothing_leaves_the_page(open_page):
    opened = open_page(viewport=WIDE)
    for button in opened.page.locator("th button").all()[:5]:
        button.dispatch_event("click")
    opened.page.wait_for_timeout(200)
    assert opened.faults == []
    assert opened.requests == [opened.path.as_uri()]


def test_every_section_has_its_figure_or_table_or_says_why_not(open_page):
    sections = open_page(viewport=WIDE).page.evaluate(SECTIONS)
    assert len(sections) >= 3
    for name, has_figure, text in sections:
        assert has_figure or SAYS_WHY.search(text), name
        assert "How to read it" in text, name


@pytest.mark.parametrize("width", [400, 700, 1400])
def test_the_page_fits_its_window(open_page, width):
    page = open_page(viewport={"width": width, "height": 900}).page
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.body.scrollWidth") <= width


def test_a_narrow_window_shows_one_line_of_navigation_and_words_in_one_piece(open_page):
    page = open_page(viewport=NARROW).page
    unfold(page)
    assert page.locator("nav").bounding_box()["height"] < 60
    for cell in page.locator("tbody th:visible").all()[:20]:
        assert cell.bounding_box()["width"] > 60


def test_the_answer_is_on_the_first_screen(open_page):
    page = open_page(viewport=SCREEN).page
    assert page.locator("h1").bounding_box()["y"] < 100
    answer = page.locator(".cards, .lead").last.bounding_box()
    assert answer["y"] + answer["height"] < SCREEN["height"]


def test_pictures_of_the_first_screen_stand_side_by_side_or_are_stacked(open_page):
    """Each question has its sentence, and its picture where the study has something to draw."""
    page = open_page(viewport=SCREEN).page
    cards = page.locator(".card").all()
    if not cards:
        pytest.skip("the page has no cards")
    tops, questions = [card.bounding_box()["y"] for card in cards], [card.locator("h2").inner_text() for card in cards]
    assert len(set(tops)) == 1
    assert questions == ["Which metric to report?", "Which model is best?", "Can sampled metrics be trusted?"]
    assert all(card.locator(".answer").inner_text() for card in cards)
    if page.locator("#which_order").count():
        assert page.locator(".card svg").count() == 3
    page.set_viewport_size(NARROW)
    boxes = [card.bounding_box() for card in cards]
    assert all(above["y"] + above["height"] <= below["y"] for above, below in pairwise(boxes))


def test_printed_figures_stand_beside_ours(open_page):
    """Every table of a paper has its bars, unfolded above it; their names can be read on a phone."""
    page = open_page(viewport=NARROW).page
    tables = page.locator("figure[id$='-compared-table']").evaluate_all("all => all.map(one => one.id)")
    if not tables:
        pytest.skip("the page has no table of a paper")
    bars = page.locator("figure[id$='_bars']")
    assert bars.count() > 0
    assert set(bars.evaluate_all("all => all.map(one => one.id.replace('_bars', '-compared-table'))")) <= set(tables)
    for picture in bars.all():
        assert picture.locator(".legend li").first.inner_text().endswith("printed")
        assert "printed figure above ours" in picture.locator("title").first.text_content()
        first = picture.locator("svg").first
        box, name = first.bounding_box(), first.locator("text").first.bounding_box()
        assert box["x"] + box["width"] <= NARROW["width"]
        assert name["height"] >= LEGIBLE


def test_texts_for_a_paper_can_be_copied(open_page):
    opened = open_page(viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])
    for button in opened.page.locator("button[data-copy]").all():
        button.click()
        opened.page.wait_for_function("() => document.querySelector('button[data-copy]')")
        copied = opened.page.evaluate("() => navigator.clipboard.readText()")
        shown = button.locator("xpath=ancestor::div[1]").locator("code, blockquote").text_content()
        assert copied == shown.strip()
        assert button.inner_text().startswith("Copied")
    assert opened.faults == []


def test_pressing_a_heading_sorts_by_it(open_page):
    pressed = open_page(viewport=WIDE).page.evaluate(PRESS_EVERY_HEADING)
    assert pressed
    for name, is_number, before, states in pressed:
        assert {direction for direction, _ in states} == {"ascending", "descending"}, name
        for direction, after in states:
            assert sorted(after) == sorted(before), name
            if is_number:
                values = [float(value) for value in after if value]
                assert values == sorted(values, reverse=direction == "descending"), name
                assert all(after[: len(values)]), f"{name}: missing values are last"
    assert any(len(set(before)) > 1 for _, _, before, _ in pressed)


def test_sorting_works_from_the_keyboard(open_page):
    page = open_page(viewport=WIDE).page
    unfold(page)
    heading = page.locator("th[aria-sort]:visible").first
    heading.locator("button").focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") in ("ascending", "descending")
    assert heading.locator("xpath=following-sibling::th[@aria-sort!='none']").count() == 0


def test_tables_and_figures_can_be_taken_away(open_page):
    opened = open_page(viewport=WIDE)
    unfold(opened.page)
    for table in opened.page.locator("figure.tabular:has(.downloads)").all()[:3]:
        name, content = opened.save(table.locator("button[data-file$='.csv']"))
        assert name.endswith(".csv")
        assert len(pd.read_csv(io.BytesIO(content))) == table.locator("tbody tr").count()
        name, content = opened.save(table.locator("button[data-file$='.tex']"))
        assert content.startswith(b"\\begin{tabular}")
    for panel in opened.page.locator(".panel").all()[:2]:
        svg, png = panel.locator("button").all()
        name, content = opened.save(svg)
        assert name == panel.get_attribute("data-name") + ".svg"
        assert b"<text" in content
        name, content = opened.save(png)
        assert name.endswith(".png")
        assert content.startswith(b"\x89PNG")
        assert len(content) > 5000
    assert opened.faults == []


@pytest.mark.parametrize(
    ("scheme", "rules"), [("light", {}), ("dark", {"runOnly": ["color-contrast"]})], ids=["light", "dark"]
)
def test_axe_finds_no_violation(open_page, scheme, rules):
    """In the dark, of the colours alone: nothing else differs."""
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(viewport=SCREEN, color_scheme=scheme, bypass_csp=True).page
    unfold(page)
    found = Axe().run(page, options=rules).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:120]) for each in found] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_page(open_page, scheme):
    assert open_page(viewport=WIDE, color_scheme=scheme).page.evaluate(CONTRAST) >= 4.5


def test_everything_that_can_be_pressed_or_seen_has_a_name(open_page):
    page = open_page(viewport=WIDE).page
    assert page.evaluate(UNLABELLED, NAMED) == []
    first = page.evaluate("() => document.querySelector('a, button').className")
    assert first == "skip"


def test_the_table_of_contents_stays_and_knows_the_section(open_page):
    page = open_page(viewport=WIDE).page
    link = page.locator("nav a").last
    link.click()
    page.wait_for_function("() => document.querySelector('nav a[aria-current]')")
    assert page.locator("nav").bounding_box()["y"] == 0
    name = page.locator("nav li").last.inner_text()
    page.wait_for_function("name => document.querySelector('nav a[aria-current]')?.innerText === name", arg=name)


def test_the_page_is_short_until_it_is_unfolded(open_page):
    page = open_page(viewport=SCREEN).page
    assert page.locator("details[open]").count() == 0
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_SCREENS * SCREEN["height"]
    assert not page.locator("details figure, details table").evaluate_all(
        "all => all.some(one => one.checkVisibility())"
    )


def test_an_index_of_one_dataset_is_one_screen(open_page):
    page = open_page(viewport=SCREEN).page
    if page.locator("#datasets-table tbody tr").count() != 1:
        pytest.skip("the page is no index of one dataset")
    assert page.evaluate("document.documentElement.scrollHeight") <= SCREEN["height"]


def test_every_figure_and_table_has_an_address_that_unfolds_it(open_page):
    opened = open_page(viewport=SCREEN)
    page = opened.page
    names = page.locator("main figure").evaluate_all("all => all.map(one => one.id)")
    assert len(names) == len(set(filter(None, names)))
    folded = page.locator("details figure").evaluate_all("all => all.map(one => one.id)")
    for name in [*folded[:2], *folded[-2:]]:
        page.goto(f"{opened.path.as_uri()}#{quote(name)}")
        target = page.locator(f"[id='{name}']")
        assert target.is_visible()
        page.wait_for_function("id => document.getElementById(id).getBoundingClientRect().top < innerHeight", arg=name)
        assert target.locator("a.here").get_attribute("href") == f"#{name}"


def test_long_tables_can_be_searched_and_their_headings_stay(open_page):
    page = open_page(viewport=SCREEN).page
    unfold(page)
    for box in page.locator(".search input").all()[:3]:
        table = box.locator("xpath=ancestor::figure[1]").locator("table")
        rows = table.locator("tbody tr")
        text = rows.last.locator("th").inner_text().split()[0]
        box.fill(text)
        shown = [row.inner_text().lower() for row in rows.all() if row.is_visible()]
        assert shown
        assert all(text.lower() in one for one in shown)
        box.fill("no row has this")
        assert not any(row.is_visible() for row in rows.all())
        box.fill("")
        assert table.locator("thead th").first.evaluate("one => getComputedStyle(one).position") == "sticky"


def test_it_prints_without_the_navigation_and_with_what_is_folded(open_page):
    page = open_page(viewport=WIDE).page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.locator("nav").is_visible()
    assert all(folded.get_attribute("open") is not None for folded in page.locator("details").all())
    assert page.pdf()[:4] == b"%PDF"


def test_a_page_is_of_a_size_to_send(path):
    assert path.stat().st_size < 3_000_000
