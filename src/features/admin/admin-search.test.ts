import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "@/lib/search";
import { type AdminSearch, readAdminSearch, withAdminSearch } from "./admin-search";

const FULL = {
  section: "users",
  users: "pending",
  inquiries: "new",
  about: "contact",
  person: "0198a000-0000-7000-8000-000000000008",
  kind: "account.approved",
  open: "0198a000-0000-7000-8000-000000000001,0198a000-0000-7000-8000-000000000002",
  q: "har 12",
  status: "on-hold",
  c: "0198a000-0000-7000-8000-000000000004",
  to: "0198a000-0000-7000-8000-000000000005",
} satisfies AdminSearch;
const OTHER = {
  section: "messages",
  users: "active",
  inquiries: "closed",
  about: "application",
  person: "0198a000-0000-7000-8000-000000000009",
  kind: "session.ended",
  open: "0198a000-0000-7000-8000-000000000003",
  q: "quay",
  status: "todo",
  c: "0198a000-0000-7000-8000-000000000006",
  to: "0198a000-0000-7000-8000-000000000007",
} satisfies AdminSearch;

test("an address survives being read and written", () => {
  expect(reread(FULL)).toEqual(FULL);
});

test("changing one or two params never drops another", () => {
  const changes = pairsOf(OTHER);
  expect(changes).toHaveLength(121);
  for (const change of changes) {
    expect(reread(withAdminSearch(change)(FULL))).toEqual({ ...FULL, ...change });
    expect(reread(withAdminSearch(change)({}))).toEqual(change);
  }
});

test("a param that goes back to its default leaves the address, the others stay", () => {
  expect(withAdminSearch({ section: "projects" })(FULL)).toEqual({ ...FULL, section: undefined });
  expect(reread(withAdminSearch({ section: "projects", users: "all" })(FULL))).toEqual({
    inquiries: FULL.inquiries,
    about: FULL.about,
    person: FULL.person,
    kind: FULL.kind,
    open: FULL.open,
    q: FULL.q,
    status: FULL.status,
    c: FULL.c,
    to: FULL.to,
  });
  expect(reread(withAdminSearch({ q: undefined, status: undefined })(FULL))).toEqual({
    section: FULL.section,
    users: FULL.users,
    inquiries: FULL.inquiries,
    about: FULL.about,
    person: FULL.person,
    kind: FULL.kind,
    open: FULL.open,
    c: FULL.c,
    to: FULL.to,
  });
});

test("junk gives the default view, also over the raw address that the router keeps underneath", () => {
  const junk = {
    section: "xx",
    users: "<script>",
    inquiries: "lost",
    about: "spam",
    person: "1",
    kind: "account",
    open: "  ",
    q: "x".repeat(201),
    status: "active",
    c: "x",
    to: "<b>",
  };
  expect({ ...junk, ...readAdminSearch(junk) }).toEqual({});
});

/** Each param alone, and each with every other. */
function pairsOf(search: AdminSearch): AdminSearch[] {
  const params = Object.entries(search);
  return params.flatMap((one) => params.map((other) => Object.fromEntries([one, other])));
}

function reread(search: AdminSearch) {
  return parseSearch(stringifySearch(readAdminSearch(search)));
}
