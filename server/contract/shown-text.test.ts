import { expect, test } from "vitest";
import { webLinkSchema } from "./links";
import { isBlank, lineOf, showsAsItIs } from "./shown-text";
import { lineSchema, orAbsent, textSchema } from "./text";
import { isWebUrl } from "./web-url";

const rule = { max: 200, required: "Please enter a title.", label: "Title" };
const [line, text] = [lineSchema(rule), textSchema(rule)];

/** Names and titles as people write them, in the scripts of the world. */
const LEGAL = [
  ..."Asha Kulkarni|Zoë O'Brien-Ångström|Nguyễn Thị Minh Khai|Łukasz Żółć|Þórður Guðmundsson|Ọlájùmọ̀kẹ́|İlkay Gündoğan".split(
    "|",
  ),
  ..."आशा कुलकर्णी|क्‍ष|श्री गणेश|அனுராதா|తెలుగు ప్రాజెక్ట్|ಕನ್ನಡ|മലയാളം ന്‍|বাংলা ক্ষ|ગુજરાતી|ਪੰਜਾਬੀ|ଓଡ଼ିଆ|සිංහල ක්‍ෂ|اردو نام".split("|"),
  ..."می‌خواهم|خانه‌ها|محمد عبد الله|שָׁלוֹם עֲלֵיכֶם|ދިވެހި|ܣܘܪܝܝܐ|ߒߞߏ|Ελένη Παπαδοπούλου|Наталія Ґалаґан|Հայաստան|ქართული|አማርኛ".split(
    "|",
  ),
  ..."王小明|山田 太郎|葛󠄀城市|辻󠄀|김민준|ᄒᆞᆫ글|ภาษาไทย|ພາສາລາວ|ខ្មែរ|မြန်မာ|བོད་སྐད་|ᠮᠣᠩᠭᠣᠯ|ᏣᎳᎩ|ᐃᓄᒃᑎᑐᑦ|ⵜⴰⵎⴰⵣⵉⵖⵜ|𞤆𞤵𞤤𞤢𞤪|𐓏𐓘𐓻𐓘𐓻𐓟|𑄌𑄋𑄴𑄟𑄳𑄦".split(
    "|",
  ),
  // Families, flags, keycaps, skin tones, a flag of a part of a country, text and picture style.
  ..."👩‍👩‍👧‍👦|🏳️‍🌈|🏴‍☠️|🇮🇳|1️⃣|👍🏽|🧑🏿‍🚀|❤️|❤︎|🏴󠁧󠁢󠁥󠁮󠁧󠁿|Scotland 🏴󠁧󠁢󠁳󠁣󠁴󠁿 and Wales 🏴󠁧󠁢󠁷󠁬󠁳󠁿|🫆|Launch 🚀".split("|"),
  // Marks of direction, a place where Thai may break, a soft hyphen, numbers, signs, a letter of somebody's own font.
  "C\u200E++ \u200Fעברית\u061C",
  "ภาษา\u200Bไทย",
  "Donau\u00ADdampf",
  "2026",
  "?",
  "—",
  "₹ 500",
  "\uE000",
  "A\u00A0B",
  "\u{1FAE9}",
];

/** Shows as nothing at all. */
const NOTHING = [
  ..."\u200B|\u200B\u200B|\u200C|\u200D|\u2060|\uFEFF|\u00AD|\u034F|\u200E|\u061C|\u180E|\u115F|\u1160|\u3164|\uFFA0|\u2800|\uFFFC".split(
    "|",
  ),
  ..."\uFE0F|\u{E0100}|\u0301|\u20E3|\u00A0|\u3000|\u2003| \t\n |\u2028|\u17B5|\u206A|\u{1D173}|\u200B \u2800\u3164|".split(
    "|",
  ),
  "\u{E0061}\u{E007F}",
  "\u0007",
  "\u0085",
  "\u2066\u2069",
];

/** Shows as something else, wherever it stands. */
const ELSE = [
  ["a bell", "a\u0007b"],
  ["an escape", "a\u001B[31mb"],
  ["a delete", "a\u007Fb"],
  ["a C1 control", "a\u009Bb"],
  ["a form feed", "a\fb"],
  ["an override to the left", "invoice\u202Efdp.exe"],
  ["an override to the right", "\u202Dabc"],
  ["an annotation", "a\uFFF9b\uFFFAc\uFFFB"],
  ["a deprecated control", "a\u206Eb"],
  ["hidden tags", "Title\u{E0068}\u{E0069}"],
  ["a language tag", "\u{E0001}en"],
  ["a flag that is none", "🏴\u{E0067}b"],
  ["tags behind a flag", "🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0068}"],
] as const;

/** Does so in a line, and is at home in longer texts. */
const MANY_LINES = [
  ["a new line", "a\nb"],
  ["a tab", "a\tb"],
  ["a line separator", "a\u2028b"],
  ["a paragraph separator", "a\u2029b"],
  ["an embedding", "a\u202Bb\u202C"],
  ["an isolate", "a\u2067b\u2069"],
  ["an isolate of its first letter", "\u2068Asha\u2069"],
] as const;

test.each(LEGAL)("%s is a name, a title and a text", (name) => {
  expect(line.safeParse(name).data).toBe(name);
  expect(text.safeParse(name).data).toBe(name);
  expect(orAbsent(line).safeParse(name).data).toBe(name);
  expect(lineOf(name)).toBe(name.replace(/[\u{E0000}-\u{E007F}]/gu, " ").trim());
});

test("what shows as nothing is missing where it is required, and absent where it is not", () => {
  for (const blank of NOTHING) {
    const name = JSON.stringify(blank).replace(/[^ -~]/gu, (sign) => `U+${sign.codePointAt(0)?.toString(16)}`);
    for (const schema of [line, text])
      expect(schema.safeParse(blank).error?.issues[0]?.message, name).toBe(rule.required);
    expect(isBlank(blank), name).toBe(true);
    expect(orAbsent(line).safeParse(blank), name).toEqual({ success: true, data: null });
    expect(lineOf(blank), name).toBe("");
  }
});

test.each(ELSE)("%s is refused in a line and in a text, in a sentence", (_name, odd) => {
  expect(line.safeParse(odd).error?.issues).toMatchObject([
    { message: expect.stringContaining("Title has to be one line") },
  ]);
  expect(text.safeParse(odd).error?.issues).toMatchObject([
    { message: expect.stringContaining("Title contains hidden") },
  ]);
  expect(showsAsItIs(lineOf(odd), "one")).toBe(true);
});

test.each(MANY_LINES)("%s is refused in a line, and kept in a text", (_name, odd) => {
  expect(line.safeParse(odd).success).toBe(false);
  expect(text.safeParse(odd).data).toBe(odd);
});

test("lines end in one way, and what a pasted line ends in is trimmed", () => {
  expect(text.safeParse("one\r\ntwo\rthree\r\n").data).toBe("one\ntwo\nthree");
  expect(line.safeParse("\tTitle\r\n").data).toBe("Title");
});

test.each([
  "https://example.com",
  "http://example.com:8080/a?b=c#d",
  "HTTPS://Example.COM/@user/x",
  "https://मराठी.example/पान",
  "https://fa.wikipedia.org/wiki/می‌خواهم",
  "https://example.com/%20?q=a@b",
  "https://[::1]:3000/",
  "https://i❤️.example/👩‍👩‍👧‍👦",
])("%s is a link", (link) => expect(webLinkSchema.safeParse(link).data).toBe(link));

test.each([
  "https://user:password@host/",
  "https://user@host",
  "https://@host/",
  "https://github.com@evil.example/x",
  "https://:p@host",
  "https://good.example\\@evil.example",
  "https://good.example%2F@evil.example",
  "https://%65xample.com/",
  "https:///evil.example",
  "https://example.com/\u202Efdp.exe",
  "https://exam\u00ADple.com",
  "https://example.com/\u200Ba",
  "https://example.com/\u2066a\u2069",
  "https://example.com/\u0007",
  "https://example.com/a b",
  "https://example.com/\u{E0061}",
  "https://",
  "https://?a",
  "//example.com",
  "javascript:alert(1)",
  "https:example.com",
  "https://example.com/\u200E",
  "https://exa mple.com",
  "https://a.example:port/",
])("%s is none", (link) => {
  expect(isWebUrl(link)).toBe(false);
  expect(webLinkSchema.safeParse(link).success).toBe(false);
});

test("a link with a password says why it is refused", () => {
  const { error } = webLinkSchema.safeParse("https://asha:secret@host.example/");
  expect(error?.issues[0]?.message).toContain("Leave out the user name and password");
});

test("texts of 256 KB are judged within milliseconds", async () => {
  for (const piece of ["a", "\u200B", "\u0301", "🏴", "🏴\u{E0067}", "a\u{E0067}", "\r", "a ", "@", "https://"]) {
    const long = piece.repeat(262_144 / piece.length);
    const judgeMs = () => {
      const startedAt = performance.now();
      for (const schema of [line, text, webLinkSchema]) schema.safeParse(long);
      lineOf(long);
      return performance.now() - startedAt;
    };
    // Again where the machine did something else meanwhile; what grows with the square takes minutes each time.
    await expect.poll(judgeMs, { message: JSON.stringify(piece) }).toBeLessThan(500);
  }
});
