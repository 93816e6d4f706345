import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlText } from "./html-text.ts";

const { signal } = new AbortController();
const terms = { url: "https://a.example/x/y?q", most: 100_000, signal };
const textOf = async (markup: string) => (await htmlText(markup, terms)).text;

describe("reads", () => {
  test.each([
    ["white space as one space", "<p>  a \n\t b&nbsp; c  </p>", "a b c"],
    ["words across tags", "a<b>b</b> <i> c</i>d", "ab cd"],
    ["paragraphs", "<p>a<p>b<p>c", "a\n\nb\n\nc"],
    ["lines", "a<br>b<br><br>c<div>d</div><div>e</div>", "a\nb\nc\nd\ne"],
    ["headings", "<h1>a</h1><h3>b</h3>c<h2></h2>", "# a\n\n### b\n\nc"],
    [
      "lists",
      "<ul><li>a<li><p>b</p><ul><li>c</ul><li></ul><ol start=3><li>d<li>e</ol>",
      "- a\n- b\n  - c\n\n3. d\n4. e",
    ],
    ["tables", "<table><tr><th>a<th>b<tr><td>1<br>2<td><div>3</div><td></table>", "a | b\n1 2 | 3 |"],
    [
      "tables in tables",
      "<table><tr><td><table><tr><td>a<td>b<tr><td>c</table><td>d</table>",
      "a | b\nc\n\n| d",
    ],
    ["lines that are kept", "x<pre>a  b\n   c\n\n\nd</pre>y", "x\n\na  b\n   c\n\nd\n\ny"],
    ["entities", "&lt;b&gt; &amp;amp; &eacute;&#8364;&#x1F600; &nosuch; &", "<b> &amp; é€😀 &nosuch; &"],
    ["pictures", "<img alt='a picture'><img alt=''><img><img hidden alt=x>", "[image: a picture]"],
    [
      "fields",
      "<textarea>a\n b</textarea><button>c</button><select><option>d<option>e</select>",
      "a\n b\nc\nd\ne",
    ],
    ["text without tags", "a < b > c", "a < b > c"],
    ["nothing", "", ""],
  ])("%s", async (_, markup, text) => {
    expect(await textOf(markup)).toBe(text);
  });

  test.each([
    ["absolute, without a fragment", "../z?q#f", "https://a.example/z?q"],
    ["to another host", "//b.example/ü", "https://b.example/%C3%BC"],
    ["without a user name", "https://u:p@b.example/", "https://b.example/"],
  ])("links %s", async (_, href, target) => {
    expect(await textOf(`<a href="${href}">there</a>`)).toBe(`there (${target})`);
  });

  test.each(["#f", "", " ", "javascript:x", "data:,x", "mailto:a@b", "http://", `/${"x".repeat(600)}`])(
    "a link to %s without saying so",
    async (href) => {
      expect(await textOf(`<a href="${href}">there</a>`)).toBe("there");
    },
  );

  test("a link by its page's base, and one without words not at all", async () => {
    expect(await textOf("<base href='https://b.example/c/'><a href=d>x</a><a href=e><img></a>")).toBe(
      "x (https://b.example/c/d)",
    );
    expect(await textOf("<base href='/b/'><base href='/c/'><a href=d>x</a>")).toBe(
      "x (https://a.example/b/d)",
    );
    expect(await textOf("<base href='javascript:x'><a href=d>x</a>")).toBe("x (https://a.example/x/d)");
  });
});

test.each([
  ["the first one", "<title>a &amp; b</title><title>c</title>", "a & b"],
  ["one line", `<title>\n a\u200b\n  b ${"x".repeat(400)}</title>`, `a b ${"x".repeat(296)}`],
  ["none of a drawing", "<svg><title>a</title></svg>", undefined],
  ["none", "<title> </title>", undefined],
])("the title is %s", async (_, markup, title) => {
  expect((await htmlText(markup, terms)).title).toBe(title);
});

test("a text that is too long is cut, and says so", async () => {
  const markup = "<p>abc</p>".repeat(10);
  expect(await htmlText(markup, { ...terms, most: 7 })).toStrictEqual({ text: "abc\n\nab", truncated: true });
  expect(await htmlText(markup, { ...terms, most: 48 })).toMatchObject({ truncated: false });
});

test("a page that is too deep to be followed ends there, and says so", async () => {
  const deep = (depth: number) => htmlText(`top${"<div>".repeat(depth)}deep<p hidden>x</p>`, terms);
  expect(await deep(200)).toStrictEqual({ text: "top\ndeep", truncated: false });
  expect(await deep(300)).toStrictEqual({ text: "top", truncated: true });
});

test("formatting that is never closed makes no page deep", async () => {
  const { text, truncated } = await htmlText("<p><font><b>x</p>".repeat(1000), terms);
  expect([text.length, truncated]).toStrictEqual([2998, false]);
});

describe("a quarter MiB of hostile markup ends soon:", () => {
  const size = 256 * 1024;
  const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  const half = (unit: string) => fill(unit).slice(0, size / 2);
  test.each([
    ["open tags", fill("<div>")],
    ["open formatting", fill("<b>")],
    ["open formatting in paragraphs", fill("<p><b><i>")],
    ["end tags", fill("</div>")],
    [
      "end tags of what is open, beyond a barrier",
      `<div><table><tr><td>${"<span>".repeat(240)}${half("</div>")}`,
    ],
    ["end tags of other things", "<b>".repeat(240) + half("</i>")],
    ["crossed tags", fill("<b><div></b></div>")],
    ["crossed tags of all kinds", fill("<a><b><i><u><s><p></a></b></i></u></s>")],
    ["unclosed formatting", fill("<p><b style='opacity:0'><i><u hidden></p>")],
    ["table cells", fill("<table><tr><td>")],
    ["list items", fill("<ul><li>")],
    ["paragraphs", fill("<p hidden>x")],
    ["comments", fill("<!--")],
    ["open angles", fill("<")],
    ["ampersands", fill("&")],
    ["entities", `<p hidden>${fill("&amp;")}`],
    ["attributes", `<p ${fill("a=b ")}`],
    ["attributes of other names", `<p ${Array.from({ length: 50_000 }, (_, at) => `a${at}=b`).join(" ")}>`],
    ["one style", `<p style="${fill("left:1px;")}">x`],
    ["one style of nothing", `<p style="${fill("/*")}">x`],
    ["spaces in a style", `<p style="display:${fill(" ")}x">x`],
    ["exclamation marks in a style", `<p style="display:${fill("! ")}x">x`],
    ["spaces inside a style", `<p style="display:x${fill(" ")}x">x`],
    ["digits in a style", `<p style="position:fixed;left:${fill("1")}!;left:1${fill("0")}q q">x`],
    ["filters in a style", `<p style="filter:${fill("opacity( ")}">x`],
    ["moves in a style", `<p style="transform:${fill("translate(")}">x`],
    ["sizes in a style", `<p style="transform:scale(${fill("0")}x">x`],
    ["sizes upon sizes in a style", `<p style="transform:${fill("scale(0000 ")}">x`],
    ["words in a style", `<p style="display:${fill("a-")};display:${fill("block ")}">x`],
    ["brackets in a style", `<p style="clip:rect(${fill("(")};clip-path:${fill("inset(")}">x`],
    ["colours in a style", `<p style="color:rgb(${fill("1,")});background:${fill("rgb(")}">x`],
    ["screens in a sheet", `<style>@media ${fill(" ")}x{}</style>x`],
    ["names in a sheet", `<style>${fill("a-")}!{left:0}${fill(".a")}!{left:0}</style>x`],
    ["words in a style, and a line end", `<p style="display:${fill("block-")}\nx">x`],
    ["brackets in a style, and a line end", `<p style="clip:${fill("(")}\nx">x`],
    ["escapes in a style", `<p style="${fill("\\6")}">x`],
    ["styles", fill("<p style='left:1px;position:absolute'>")],
    ["classes", `<style>.a{left:0}</style><p class="${fill("a ")}">x`],
    ["rules", `<style>${fill(".a{left:0}")}</style><p class=a>x`],
    ["rules without an end", `<style>${fill(".a{")}</style><p class=a>x`],
    ["selectors", `<style>${fill("a,")}{left:0}</style><p class=a>x`],
    ["rules in rules", `<style>${fill("@media screen{")}</style><p class=a>x`],
    ["rules in rules, and many", `<style>${half("@layer{")}${half("a{}")}</style>x`],
    ["a rule of many names, and elements", `<style>${half(".a")}{left:0}</style>${half("<p class=a>")}`],
    ["rules and elements", `<style>${".a{left:0}".repeat(10_000)}</style>${half("<p class=a>")}`],
    ["style sheets", fill("<style>.a{left:0}</style>")],
    ["style sheets without an end", fill("<style>")],
    ["links", `<div hidden>${fill("<a href=x>y</a>")}`],
    ["bases", fill("<base href=x/>")],
    ["a long base, and links", `<base href="/${fill("é")}">${half("<a href=x>y</a>")}`],
    ["bases and links", fill("<base href=xxxx/><a href=y>z</a>")],
    ["links of nothing", fill("<a href=x></a>")],
    ["titles", fill("<title>")],
    ["spaces", fill(" ")],
    ["lines that are kept", `<pre>${fill("\n")}`],
    ["letters that are not seen", fill("\u200b")],
    ["list after list", fill("<ol></ol>")],
    ["drawings", fill("<svg>")],
    ["plain words", fill("word ")],
  ])("%s", async (_, markup) => {
    const before = process.cpuUsage();
    await htmlText(markup, terms);
    // What looks at all pairs of places would take minutes.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500);
  });
});

test("whoever waits for a page can stop, and others have their turn meanwhile", async () => {
  const controller = new AbortController();
  const reading = htmlText("<p hidden>x".repeat(100_000), { ...terms, signal: controller.signal });
  setImmediate(() => controller.abort());
  await expect(reading).rejects.toThrow("aborted");
});

test("any markup becomes some text", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."<p> </p> <b> </b> <a> </a> <div hidden> </div> <table> <tr> <td> </table> <li> <ul> </ul> <svg> </svg> <pre> <!-- --> <style> </style> <title> <br/> x".split(
        " ",
      ),
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const { text } = await htmlText(pieces.join(""), terms);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e]/);
    }),
    { numRuns: 120 },
  );
});
