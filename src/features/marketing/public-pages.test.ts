import { readFileSync } from "node:fs";
import { TERMS_VERSION } from "@server/contract/accounts";
import { APP_PAGES, PUBLIC_PAGES as SERVED } from "@server/contract/paths";
import type { PersonExport } from "@server/contract/views";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { PAINTED_SETTINGS } from "@/lib/use-local-setting";
import { PRIVACY } from "./privacy-page";
import { PUBLIC_PAGES } from "./public-pages";
import { structuredData } from "./structured-data";
import { TERMS } from "./terms-page";

const html = new Map<string, string>();
const words = new Map<string, string>();

beforeAll(async () => {
  const paths = [...Object.entries(SERVED), ["/no-such-page", "404"] as const];
  for (const [path, name] of paths) {
    const page = renderToString(createElement(await PUBLIC_PAGES[name].load(), { form: {} }));
    html.set(path, page);
    words.set(
      path,
      page
        .replaceAll("<!-- -->", "")
        .replace(/<[^>]*>/g, " ")
        .replace(/&amp;/g, "&"),
    );
  }
});

test("every page that is served is prerendered, also in development", () => {
  expect(Object.keys(PUBLIC_PAGES).sort()).toEqual([...Object.values(SERVED), "404"].sort());
  const dev = /PUBLIC_PAGES = new Set\(\[([\s\S]*?)\]\);/.exec(readFileSync("scripts/dev.mjs", "utf8"))?.[1] ?? "";
  expect([...dev.matchAll(/"([^"]+)"/g)].map(([, path]) => path)).toEqual(Object.keys(SERVED));
});

test("every link leads to a page, a file and a section that exist", () => {
  const dead = [...html].flatMap(([path, page]) =>
    [...page.matchAll(/href="([^"]*)"/g)]
      .map(([, href = ""]) => href.replace(/&amp;/g, "&"))
      .filter((href) => !exists(href, path))
      .map((href) => `${href} on ${path}`),
  );
  expect(dead).toEqual([]);
});

test("every page has one h1, no id twice, and says in the head what it is", () => {
  for (const [path, page] of html) {
    expect(page.match(/<h1/g), path).toHaveLength(1);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size, path).toBe(ids.length);
  }
  const titles = Object.values(PUBLIC_PAGES).map((page) => page.title);
  expect(new Set(titles).size).toBe(titles.length);
});

test.each([
  ["/", ["10,000+", "5+", "3+", "within 24 hours", "Mon-Fri 9 AM - 6 PM", "About Us", "Our Goal", "Contact us"]],
  ["/", ["Attendance system", "Mobile apps", "AI solutions", "Consulting", "Careers", "Blogs", "Sign in"]],
  ["/", ["collaboration", "partnership", "project", "support", "other"].map((subject) => `value="${subject}"`)],
  ["/careers", ["500+", "95%", "10+", "3,000 rupees", "per 1 month", "Free", "8,000 rupees", "per month"]],
  ["/careers", ["40 classes, 5+", "40 classes, 4+", "40 classes, 3+", "Foundation", "Specialization", "Application"]],
  ["/careers", ["Learn More", "Apply", "Contact Us", "Download Brochure"]],
  ["/kartavya", ["Flexible Shifts", "Loans & Advances", "Customisable reports", "Read More"]],
  ["/privacy-policy-kartavya", ["September 9, 2025", "5 images", "Email", "Full name", "Phone", "Role and department"]],
  ["/privacy-policy-kartavya", ["Institution id", "Face embeddings", "check-in or check-out", "Check-in photos"]],
  ["/privacy-policy-kartavya", ["backend-as-a-service", "institution's administrator", "under 13"]],
])("%s says %s", (path, wanted) => {
  const said = (html.get(path) ?? "") + (words.get(path) ?? "").replace(/&#x27;/g, "'");
  expect(wanted.filter((one) => !said.includes(one))).toEqual([]);
});

test("what folds away stands in the text", () => {
  expect(words.get("/careers")?.includes("A certificate that names what you built")).toBe(true);
  expect(words.get("/kartavya")?.includes("A swap between two colleagues")).toBe(true);
});

test("the structured data tells of the firm and of each course", () => {
  expect(structuredData("index")).toMatchObject({ "@type": "Organization", name: "Sangam Software" });
  const graph = JSON.stringify(structuredData("careers"));
  expect(graph.match(/"@type":"Course"/g)).toHaveLength(4);
  expect(graph).toContain('"price":"3000"');
});

test("the version that sign-up records is the day of both legal texts", () => {
  expect([TERMS.dated, PRIVACY.dated]).toEqual([TERMS_VERSION, TERMS_VERSION]);
});

/** Whatever a copy of somebody's data says about their account, as /privacy calls it; null: it says nothing about them. */
const NAMED: Record<keyof PersonExport["profile"], string | null> = {
  id: null,
  name: "Your name",
  displayName: "a display name",
  username: "a username",
  email: "email address",
  emailVerified: "whether your email is confirmed",
  emailPresumed: "whether your email is confirmed",
  mobile: "phone number",
  age: "your age",
  address: "your address",
  profileImgLink: "upload a picture of yourself",
  agreeToTerms: "which version of the terms you accepted",
  termsVersion: "which version of the terms you accepted",
  termsAcceptedAt: "which version of the terms you accepted, and when",
  accountType: "your account type",
  accountStatus: "pending, active, inactive or rejected",
  accessLevel: "your account type",
  unreadMail: "emails about unread messages",
  decidedBy: "who decided that",
  decidedAt: "who decided that and when",
  invitedAt: "when an administrator invited you",
  createdAt: null,
  updatedAt: null,
};

test("the privacy policy names whatever is stored about a person", () => {
  const said = PRIVACY.sections.flatMap(({ paragraphs }) => paragraphs).join(" ");
  expect(Object.entries(NAMED).filter(([, word]) => word !== null && !said.includes(word))).toEqual([]);
});

test.each([
  ["files", "The files you upload, with their name, size and time."],
  ["files", "A file that you attach to nothing is deleted after a day."],
  ["files", "A picture of you and files that you attached to nothing are deleted."],
  ["pictures", "upload a picture of yourself, from which we remove where it was taken"],
  [
    "pictures",
    "From pictures, and from recordings as phones make them (MP4, MOV, M4A), we remove where they were taken",
  ],
  ["comments", "Your comments, whom they mention, and how far you have read. Who may see a comment stands beside it"],
  ["comments", "What you wrote in projects, comments, requests and messages, and files that you attached there, stay"],
])("the page /privacy says what is kept of %s: %s", (_of, said) => {
  expect(words.get("/privacy")).toContain(said);
});

test("what the app does with leave, salary and loans stands in its privacy policy", () => {
  for (const word of ["shifts", "leave", "salary", "advance", "request"]) {
    expect(words.get("/kartavya"), word).toMatch(new RegExp(word, "i"));
    expect(words.get("/privacy-policy-kartavya"), word).toMatch(new RegExp(word, "i"));
  }
  expect(words.get("/privacy-policy-kartavya")).not.toContain("this is all of it");
});

test("the goals end in the three figures, and the values are cards like the goals", () => {
  const page = html.get("/") ?? "";
  const sections = page.split("<section");
  const goal = sections.find((section) => section.includes('id="goal"')) ?? "";
  expect(goal.match(/<h3/g)).toHaveLength(4);
  expect(["10,000+", "5+", "3+"].filter((figure) => !goal.includes(`>${figure}<`))).toEqual([]);
  const about = sections.find((section) => section.includes('id="about"')) ?? "";
  const cardOf = (section: string) => /<li class="([^"]*)"/.exec(section)?.[1];
  expect(cardOf(about)).toContain("rounded-card");
  expect(cardOf(about)).toBe(cardOf(goal));
});

test("both documents set the theme by one short script, so that one CSP hash serves", () => {
  const [app, pages] = ["index.html", "public.html"].map(inlineScripts);
  expect(app).toEqual(pages);
  expect(app).toHaveLength(1);
  const lines = app?.[0]?.trim().split("\n") ?? [];
  expect(lines.length).toBeLessThanOrEqual(5);
  for (const key of Object.keys(PAINTED_SETTINGS)) expect(app?.[0]).toContain(`localStorage.${key}`);
});

function exists(href: string, from: string): boolean {
  if (href.startsWith("mailto:")) return true;
  const [address = "", id] = href.split("#");
  const path = address.split("?")[0] ?? "";
  const target = html.get(path === "" ? from : path);
  if (target !== undefined) return id === undefined || target.includes(`id="${id}"`);
  return path in APP_PAGES || path === "/sangam-programmes.pdf";
}

function inlineScripts(file: string): string[] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  return [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
}
