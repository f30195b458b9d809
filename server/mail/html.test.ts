import { expect, test } from "vitest";
import { renderHtml } from "./html";

const html = renderHtml({
  subject: 'A "subject" <b>',
  greeting: "Hello <img src=x>,",
  paragraphs: ['Write to us: https://sangam.example/#contact?a="b"'],
  quote: "See https://elsewhere.example",
  list: [{ title: "Tides & <ships>", url: 'https://sangam.example/task/"HBP-1', lines: ["<script>"] }],
  action: { label: "Open", url: "https://sangam.example/inbox" },
  unsubscribeUrl: "https://sangam.example/api/unsubscribe?token=a",
});

test("a mail shows every value as text, and loads nothing", () => {
  expect(html).not.toMatch(/<img|<script|<link|@import|url\(|<b>/);
  expect(html).toContain('href="https://sangam.example/task/&quot;HBP-1"');
  expect(html).toContain("Tides &amp; &lt;ships&gt;");
});

test("addresses in a text are links, but not those that a visitor wrote", () => {
  expect(html).toContain('href="https://sangam.example/#contact?a="');
  expect(html).not.toContain('href="https://elsewhere.example');
});

test("a mail says that it has colours for the dark, and has them", () => {
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toMatch(/@media \(prefers-color-scheme:dark\)\{[\s\S]*\.text\{color:#f0eee9!important\}/);
});
