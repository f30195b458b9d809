import { expect, test } from "vitest";
import { choice, optional, parseSearch, stringifySearch, text } from "./search";

test("an address comes back as it was written, readable", () => {
  const search = "?open=a,b&redirect=/dashboard%3Ftab%3Dtodo&q=%E0%A4%B8+%26+%3D";
  expect(parseSearch(search)).toEqual({ open: "a,b", redirect: "/dashboard?tab=todo", q: "\u0938 & =" });
  expect(stringifySearch(parseSearch(search))).toBe(search);
});

test("numbers, JSON and broken escapes stay plain text", () => {
  expect(parseSearch('?q=123&a={"b":1}&c=%E0%A4%A')).toMatchObject({ q: "123", a: '{"b":1}' });
  expect(stringifySearch({ q: "123" })).toBe("?q=123");
});

test("what has no value leaves no trace in the address", () => {
  expect(stringifySearch({ tab: undefined, q: "", panel: null })).toBe("");
});

test("a dropped key stays as undefined, so that it covers the junk of the raw address", () => {
  expect({ ...{ tab: "<script>", q: "x" }, ...optional({ tab: undefined, q: "x" }) }).toEqual({ q: "x" });
});

test("junk and the default are dropped", () => {
  const tabs = ["todo", "completed"] as const;
  expect(choice("completed", tabs, "todo")).toBe("completed");
  expect(choice("todo", tabs, "todo")).toBeUndefined();
  expect(choice("<script>", tabs, "todo")).toBeUndefined();
  expect(choice(["completed"], tabs)).toBeUndefined();
  expect(text("   ")).toBeUndefined();
  expect(text("x".repeat(3_000))).toBeUndefined();
});
