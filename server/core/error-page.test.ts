import { expect, test } from "vitest";
import { errorPage, opensPage } from "./error-page";

const asked = (headers: Record<string, string>, method = "GET") =>
  opensPage(new Request("http://localhost/dashboard", { method, headers }));

test("only who opens a page gets a page when the server fails; programs and scripts get what they can read", () => {
  expect(asked({ "sec-fetch-dest": "document", accept: "text/html,*/*" })).toBe(true);
  expect(asked({ accept: "text/html,application/xhtml+xml" })).toBe(true);
  expect(asked({ "sec-fetch-dest": "empty", accept: "text/html" })).toBe(false);
  expect(asked({ accept: "*/*" })).toBe(false);
  expect(asked({ "sec-fetch-dest": "document" }, "POST")).toBe(false);
});

test("the page of a failure says what to tell support, and nothing that came with the request stands in it as HTML", async () => {
  const page = errorPage({ status: 500, requestId: "9f2c<b>" });
  expect([page.status, page.headers.get("cache-control")]).toEqual([500, "no-store"]);
  const html = await page.text();
  expect(html).toContain("Reference: <code>9f2cb</code>");
  expect(html).not.toContain("<b>");
});
