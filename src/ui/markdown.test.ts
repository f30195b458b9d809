import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./markdown";

const ROHAN = "0198c5a2-7a37-7000-8000-000000000001";

/** Without classes, and without the element around it. */
function html(text: string, ownId?: string): string {
  return renderToStaticMarkup(createElement(Markdown, { text, ownId }))
    .replaceAll(/ (class|dir|target|rel)="[^"]*"/g, "")
    .replace(/^<div>(.*)<\/div>$/s, "$1");
}

test("the subset is shown: emphasis, code, lists, quotes, links, and lines as they were broken", () => {
  expect(html("**a** *b* ~~c~~ `d<e`")).toBe("<p><strong>a</strong> <em>b</em> <del>c</del> <code>d&lt;e</code></p>");
  expect(html("one\ntwo\n\nthree")).toBe("<p>one<br/>two</p><p>three</p>");
  expect(html("- a\n- b\n  1. c")).toBe('<ul><li>a</li><li>b<ol start="1"><li>c</li></ol></li></ul>');
  expect(html("> a\n> b")).toBe("<blockquote><p>a<br/>b</p></blockquote>");
  expect(html("```js\nx < y\n```")).toBe("<pre><code>x &lt; y</code></pre>");
  expect(html("[site](https://a.example/x) https://b.example.")).toBe(
    '<p><a href="https://a.example/x">site</a> <a href="https://b.example">https://b.example</a>.</p>',
  );
});

test("HTML, entities, images, tables and link definitions are text", () => {
  expect(html("<b onclick=x>a</b> &amp; <script>")).toBe(
    "<p>&lt;b onclick=x&gt;a&lt;/b&gt; &amp;amp; &lt;script&gt;</p>",
  );
  expect(html("<div>\n**a**\n</div>")).toBe("<p>&lt;div&gt;<br/><strong>a</strong><br/>&lt;/div&gt;</p>");
  expect(html("![cat](https://a.example/cat.png)")).toBe('<p><a href="https://a.example/cat.png">cat</a></p>');
  expect(html("| a |\n|---|\n| b |")).toBe("<p>| a |<br/>|---|<br/>| b |</p>");
  expect(html("[a]: /secret\n\n[a]")).toBe("<p>[a]: /secret</p><p>[a]</p>");
  expect(html("    indented")).toBe("<p>    indented</p>");
});

test("an address that is not the web's or a mail's leads nowhere", () => {
  for (const href of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "/api/files/1",
    "//evil.example",
  ])
    expect(html(`[a](${href})`)).toBe("<p>a</p>");
  expect(html("a@b.example")).toBe('<p><a href="mailto:a@b.example">a@b.example</a></p>');
  expect(html("[a](mailto:a@b.example?bcc=c@d.example)")).toBe("<p>a</p>");
});

test("a mention is shown by its name, one's own stands out, and a malformed one is text", () => {
  expect(html(`Hi @[Rohan \\] Mehta](person:${ROHAN})!`)).toBe("<p>Hi <span><bdi>@Rohan ] Mehta</bdi></span>!</p>");
  expect(html("@[Rohan](person:12)")).toBe("<p>@Rohan</p>");
  const shown = (ownId: string) =>
    renderToStaticMarkup(createElement(Markdown, { text: `@[R](person:${ROHAN})`, ownId }));
  expect(shown(ROHAN)).not.toBe(shown("somebody"));
});

test("whatever is nested, long or unclosed takes no longer than plain text of many parts, and nothing of it is lost", () => {
  const show = (text: string) => {
    const startedAt = performance.now();
    const shown = renderToStaticMarkup(createElement(Markdown, { text }));
    return { shown, took: performance.now() - startedAt };
  };
  // What backtracks takes thousands of times as long: within one run the ratio holds on a busy machine too.
  const usual = Math.max(...[1, 2, 3].map(() => show("*a* ".repeat(2_500)).took));
  const nested = [
    ">".repeat(9_999),
    "- ".repeat(4_999),
    "[".repeat(9_999),
    "*a ".repeat(3_333),
    "_a".repeat(5_000),
    "@[".repeat(4_999),
  ];
  for (const text of nested) {
    const tries = [1, 2, 3].map(() => show(`${text}end`));
    expect(Math.min(...tries.map(({ took }) => took)) / usual).toBeLessThan(10);
    expect(tries[0]?.shown).toContain("end");
  }
});
