import { expect, test } from "vitest";
import { landingOf } from "./landing";

const ID = "0198a000-0000-7000-8000-000000000004";

test("without a wish everyone lands on their own dashboard", () => {
  expect(landingOf("admin", undefined)).toBe("/admin");
  expect(landingOf("client", undefined)).toBe("/client");
  expect(landingOf("user", undefined)).toBe("/dashboard");
});

test("a wish that the role may open comes true, search and hash included", () => {
  expect(landingOf("user", "/dashboard?tab=completed&panel=x")).toBe("/dashboard?tab=completed&panel=x");
  expect(landingOf("admin", "/admin?section=users&users=pending")).toBe("/admin?section=users&users=pending");
  expect(landingOf("admin", "/admin?section=settings#repository-token")).toBe(
    "/admin?section=settings#repository-token",
  );
  expect(landingOf("client", "/dashboard")).toBe("/dashboard");
  expect(landingOf("user", `/dashboard/messages/${ID}?panel=x`)).toBe(`/dashboard/messages/${ID}?panel=x`);
  expect(landingOf("admin", "/admin/settings#repository-token")).toBe("/admin/settings#repository-token");
});

test("a page of another role is not opened", () => {
  expect(landingOf("user", "/admin")).toBe("/dashboard");
  expect(landingOf("client", "/admin?users=all")).toBe("/client");
  expect(landingOf("admin", "/client")).toBe("/admin");
  expect(landingOf("user", "/admin/users")).toBe("/dashboard");
  expect(landingOf("admin", "/client/messages")).toBe("/admin");
});

test("a sign-off opens for every role", () => {
  for (const role of ["admin", "user", "client"] as const)
    expect(landingOf(role, "/sign-offs/7b1f2c3d-0000-4000-8000-000000000000")).toMatch(/^\/sign-offs\/7b1f/);
});

test("a link to a task leads to it, and a page of another role keeps its task", () => {
  expect(landingOf("client", "/task/HBP-3")).toBe("/client?task=HBP-3");
  expect(landingOf("user", "/admin?task=HBP-3&users=all")).toBe("/dashboard?task=HBP-3");
  expect(landingOf("client", "/dashboard/tasks?task=HBP-3")).toBe("/dashboard/tasks?task=HBP-3");
  expect(landingOf("admin", "/client/messages?task=<b>")).toBe("/admin");
  for (const trap of ["/task/", "/task/HBP", "/tasks/HBP-3", "//evil.example/task/HBP-3"])
    expect(landingOf("user", trap), trap).toBe("/dashboard");
});

test("nothing leads to another site, or in a circle", () => {
  const traps = [
    "https://evil.example/dashboard",
    "//evil.example/dashboard",
    "/\\evil.example/dashboard",
    "/\t/evil.example",
    "javascript:alert(1)",
    "dashboard",
    "/login?redirect=/login",
    "/api/trpc/auth.signOut",
    "/dashboard/../api/trpc",
    "/%00",
    "/administrators",
    "/dashboard/a/b/c",
    "",
  ];
  for (const trap of traps) expect(landingOf("user", trap), trap).toBe("/dashboard");
});
