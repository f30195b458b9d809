/** What a request carries besides its address. */
export interface Sent {
  body: string;
  headers?: Record<string, string>;
}

/** What fits into a request with all that is around it. */
const SIZE = 254 * 1024;

/** As many pieces as fit, each made with its number. */
function fill(piece: (at: number) => string, separator = ","): string {
  const pieces: string[] = [];
  for (let at = 0, length = 0; length < SIZE - 500; at += 1) {
    const next = piece(at);
    length += next.length + separator.length;
    pieces.push(next);
  }
  return pieces.join(separator);
}

const repeat = (text: string) => text.repeat(Math.floor(SIZE / Buffer.byteLength(text)));
const nested = (open: string, inner: string, close: string) => {
  const depth = Math.floor(SIZE / (open.length + close.length)) - 50;
  return `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
};
const annotated = (json: string, values: string) => `{"json":${json},"meta":{"values":${values},"v":1}}`;
/** Every field of the public procedures that takes a text, with this one. */
const inFields = (piece: string) => {
  const text = piece.repeat(Math.floor(60_000 / (Buffer.byteLength(JSON.stringify(piece)) - 2)));
  const names = ["name", "message", "email", "company"].map((name) => `"${name}":${JSON.stringify(text)}`);
  return `{"json":{"kind":"contact","subject":"other",${names.join(",")}}}`;
};
const list = (count: number, piece: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join(",");

/** Inputs of superjson's envelope, by what is hostile about them. */
export const HTTP_CASES: [name: string, body: string][] = [
  ["a typed array of a number", annotated('{"a":4294967295}', '{"a":[["typed-array","Float64Array"]]}')],
  [
    "typed arrays all over",
    annotated(`[${list(5_500, () => "9999999")}]`, `{${list(5_500, (at) => `"${at}":[["typed-array","Int8Array"]]`)}}`),
  ],
  ["a map of pairs", annotated(`[${fill((at) => `[${at},1]`)}]`, '["map"]')],
  ["a set of numbers", annotated(`[${fill(String)}]`, '["set"]')],
  ["a pattern that backtracks", annotated(`"/^(a+)+$/"`, '["regexp"]')],
  ["a bigint of its length", annotated(`"${"9".repeat(SIZE - 500)}"`, '["bigint"]')],
  [
    "undefined at every place",
    annotated(`[${list(1_990, () => "null")}]`, `{${list(1_990, (at) => `"${at}":["undefined"]`)}}`),
  ],
  [
    "undefined past the end of a list",
    annotated('{"assignedTo":[],"managers":[]}', '{"assignedTo.4294967294":["undefined"]}'),
  ],
  ["a path of 127,000 steps", annotated("{}", `{"${"a.".repeat(SIZE / 2 - 500)}a":["undefined"]}`)],
  ["annotations in annotations", annotated("{}", nested('{"a":', '["undefined"]', "}"))],
  ["references that are equal", `{"json":{},"meta":{"referentialEqualities":{${fill((at) => `"a${at}":["b"]`)}}}}`],
  ["lists in lists", `{"json":${nested("[", "", "]")}}`],
  ["objects in objects", `{"json":${nested('{"a":', "1", "}")}}`],
  ["unknown fields", `{"json":{${fill((at) => `"f${at}":1`)}}}`],
  ["unknown fields, as many as are read", `{"json":{${list(9_990, (at) => `"f${at}":1`)}}}`],
  ["a field with a long name", `{"json":{"${"n".repeat(SIZE - 500)}":1}}`],
  ["numbers for people", `{"json":{"assignedTo":[${fill(() => "1")}]}}`],
  ["tasks without anything", `{"json":{"tasks":[${fill(() => "{}")}]}}`],
  ["tasks without anything, as many as are read", `{"json":{"tasks":[${"{},".repeat(9_000)}{}]}}`],
  ["no JSON", "{".repeat(SIZE)],
  ["no envelope", `{${fill((at) => `"f${at}":1`)}}`],
  ...["a", " ", "a ", "\u200B", "\u0301", "\u{1F3F4}\u{E0067}", "a.", "a@", "https://", "\r", "+", "\u{1F600}"].map(
    (piece): [string, string] => [`texts of ${JSON.stringify(piece)}`, inFields(piece)],
  ),
];

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const PARTS = { "content-type": "multipart/form-data; boundary=b" };

/** What reads a body without tRPC. */
export const FORM_CASES: [name: string, request: Sent & { path: string }][] = [
  ["the form, fields of one letter", { path: "/contact", headers: FORM, body: fill((at) => `f${at}=1`, "&") }],
  ["the form, one field many times", { path: "/contact", headers: FORM, body: fill(() => "a[]=1", "&") }],
  ["the form, escapes", { path: "/contact", headers: FORM, body: `message=${repeat("%F0%9F%98%80")}` }],
  [
    "the form, parts",
    {
      path: "/contact",
      headers: PARTS,
      body: `${fill((at) => `--b\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n1\r\n`, "")}--b--\r\n`,
    },
  ],
  ["the form, a part that never ends", { path: "/contact", headers: PARTS, body: `--b\r\n${repeat("a: b\r\n")}` }],
  ["vitals", { path: "/api/vitals", body: `{${fill((at) => `"f${at}":1`)}}` }],
  [
    "a push that is not signed",
    {
      path: "/api/github/webhook",
      headers: { "x-github-event": "push", "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
      body: repeat("a"),
    },
  ],
  ["cookies", { path: "/api/trpc/auth.signOut", headers: { cookie: "a=b; ".repeat(3_000) }, body: '{"json":null}' }],
  [
    "a bearer key",
    {
      path: "/api/trpc/auth.signOut",
      headers: { authorization: `Bearer ${"a".repeat(14_000)}` },
      body: '{"json":null}',
    },
  ],
];
