import { expect, test } from "vitest";
import { beginningOf, formatTopic, replyAddress } from "./inquiry-text";

const contact = { kind: "contact", subject: "project", programme: null, email: "leela+work@harbour.example" } as const;
const application = { kind: "application", subject: null, programme: "free-internship", email: "f@x.example" } as const;

test("says in words what an inquiry is about", () => {
  expect(formatTopic(contact)).toBe("Contact: Project");
  expect(formatTopic(application)).toBe("Application: Free internship");
});

test("the answer is addressed to the visitor alone, with the subject in it", () => {
  const url = new URL(replyAddress(contact));
  expect(decodeURIComponent(url.pathname)).toBe("leela+work@harbour.example");
  expect([...url.searchParams]).toEqual([["subject", "Re: Your inquiry (Project)"]]);
  const odd = new URL(replyAddress({ ...application, email: "a?bcc=b@x.example&c=d" }));
  expect([...odd.searchParams]).toEqual([["subject", "Re: Your application (Free internship)"]]);
});

test("a short text stays as it is, a long one ends between two letters, and so does one of many lines", () => {
  expect(beginningOf("Hello\nthere")).toBe("Hello\nthere");
  expect(beginningOf("x".repeat(280))).toBe("x".repeat(280));
  expect(beginningOf("x".repeat(281))).toBe(`${"x".repeat(280)}…`);
  const families = "👩‍👩‍👧".repeat(300);
  expect(beginningOf(families)).toBe(`${"👩‍👩‍👧".repeat(280)}…`);
  expect(beginningOf("a\nb\nc\nd\ne")).toBe("a\nb\nc\nd…");
  expect(beginningOf("")).toBe("");
});
