import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "@/lib/search";
import { type ClientSearch, readClientSearch, withClientSearch } from "./client-search";

const FULL = { section: "settings", open: "a,b" } satisfies ClientSearch;

test("an address survives being read and written", () => {
  expect(reread(FULL)).toEqual(FULL);
});

test("going to another section keeps what is open, and opening keeps the section", () => {
  expect(reread(withClientSearch({ section: "projects" })(FULL))).toEqual({ open: "a,b" });
  expect(reread(withClientSearch({ section: "settings" })({ open: "a,b" }))).toEqual(FULL);
  expect(reread(withClientSearch({ open: "c" })(FULL))).toEqual({ section: "settings", open: "c" });
  expect(reread(withClientSearch({ open: undefined })(FULL))).toEqual({ section: "settings" });
});

test("junk gives the default view, also over the raw address that the router keeps underneath", () => {
  const junk = { section: "<script>", open: " " };
  expect({ ...junk, ...readClientSearch(junk) }).toEqual({});
});

function reread(search: ClientSearch) {
  return parseSearch(stringifySearch(readClientSearch(search)));
}
