import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Unsent } from "@/lib/outbox";
import { UnsentActions } from "./unsent-actions";

const WHY = "This person can't be messaged any more.";

function shown(unsent: Pick<Unsent, "state" | "refusal" | "isFinal">, onEdit?: () => void): string {
  const act = () => {};
  const html = renderToStaticMarkup(createElement(UnsentActions, { unsent, onEdit, onRetry: act, onDelete: act }));
  return html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
}

test("what was refused says why, and can be changed, tried again or deleted", () => {
  expect(shown({ state: "refused", refusal: WHY }, () => {})).toBe(`${WHY} Edit Retry Delete`);
  expect(shown({ state: "refused", refusal: WHY })).toBe(`${WHY} Retry Delete`);
});

test("what was refused for what is in it can't be tried again", () => {
  expect(shown({ state: "refused", refusal: WHY, isFinal: true }, () => {})).toBe(`${WHY} Edit Delete`);
});

test("what was lost may be stored, and is not written anew; what is on its way offers nothing", () => {
  expect(shown({ state: "lost" }, () => {})).toBe("Retry Delete");
  expect(shown({ state: "sending" }, () => {})).toBe("");
});
