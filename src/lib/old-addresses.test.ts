import { expect, test } from "vitest";
import { newAddress } from "./old-addresses";
import { parseSearch } from "./search";

const ID = "0198a000-0000-7000-8000-000000000004";

function followed(address: string): string | null {
  const { pathname, search, hash } = new URL(address, "https://own.invalid");
  return newAddress({ pathname, search: parseSearch(search), hash: hash.slice(1) });
}

test.each([
  ["/dashboard?view=team&q=mit", "/dashboard/team?q=mit"],
  ["/dashboard?tab=completed&view=tasks&panel=x", "/dashboard/tasks?tab=completed&panel=x"],
  [`/dashboard?view=messages&c=${ID}`, `/dashboard/messages/${ID}`],
  [`/dashboard?view=messages&to=${ID}`, `/dashboard/messages?to=${ID}`],
  ["/dashboard?view=board&tab=completed", "/dashboard?tab=completed"],
  ["/admin?section=users&users=pending", "/admin/users?users=pending"],
  ["/admin?section=projects&open=a,b", "/admin?open=a,b"],
  ["/admin?section=settings#repository-token", "/admin/settings#repository-token"],
  ["/admin?section=client-view", "/admin/clients"],
  [`/admin?section=client-view&client=${ID}&open=a`, `/admin/clients/${ID}?open=a`],
  [`/client?section=messages&c=${ID}`, `/client/messages/${ID}`],
  ["/client?section=settings&open=a", "/client/settings?open=a"],
])("an old address leads to its page of today: %s", (old, today) => {
  expect(followed(old)).toBe(today);
});

test("junk in an old address leads to the first page, or to the page without what it showed", () => {
  expect(followed("/dashboard?view=xx&tab=todo")).toBe("/dashboard?tab=todo");
  expect(followed("/dashboard?view=__proto__")).toBe("/dashboard");
  expect(followed("/admin?section=<script>")).toBe("/admin");
  expect(followed("/client?section=messages&c=../../admin")).toBe("/client/messages");
  expect(followed(`/admin?section=users&client=${ID}&c=${ID}`)).toBe("/admin/users");
});

test("an address of today stays as it is", () => {
  for (const address of [
    "/dashboard",
    "/dashboard?tab=todo&q=view",
    "/dashboard/team?view=tasks",
    "/admin/users?c=1",
  ]) {
    expect(followed(address)).toBeNull();
  }
});
