import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "@/lib/search";
import { type ClientSearch, readClientSearch, withClientSearch } from "./client-search";

const TALK = { c: "0198a000-0000-7000-8000-000000000004", to: "0198a000-0000-7000-8000-000000000005" };
const FULL = { section: "settings", open: "a,b", ...TALK } satisfies ClientSearch;

test("an address survives being read and written", () => {
  expect(reread(FULL)).toEqual(FULL);
});

test("going to another section keeps what is open, and opening keeps the section", () => {
  expect(reread(withClientSearch({ section: "projects" })(FULL))).toEqual({ open: "a,b", ...TALK });
  expect(reread(withClientSearch({ section: "settings" })({ open: "a,b", ...TALK }))).toEqual(FULL);
  expect(reread(withClientSearch({ open: "c" })(FULL))).toEqual({ ...FULL, open: "c" });
  expect(reread(withClientSearch({ open: undefined })(FULL))).toEqual({ section: "settings", ...TALK });
});

test("going from one conversation to another keeps the rest", () => {
  expect(reread(withClientSearch({ c: TALK.to, to: undefined })(FULL))).toEqual({
    section: "settings",
    open: "a,b",
    c: TALK.to,
  });
});

test("junk gives the default view, also over the raw address that the router keeps underneath", () => {
  const junk = { section: "<script>", open: " ", c: "x", to: "<b>" };
  expect({ ...junk, ...readClientSearch(junk) }).toEqual({});
});

function reread(search: ClientSearch) {
  return parseSearch(stringifySearch(readClientSearch(search)));
}
