import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askHidden, NoAnswerError } from "./terminal";

const asked = (signal?: AbortSignal) => {
  const input = new PassThrough();
  return { input, answer: askHidden("", { setting: "ADMIN_PASSWORD", input, signal }) };
};

test("an answer is the first line, also without an end", async () => {
  for (const typed of ["first of all\nmore", "first of all"]) {
    const { input, answer } = asked();
    input.end(typed);
    expect(await answer).toBe("first of all");
  }
});

test("where nobody can answer the sentence names the setting to give instead", async () => {
  const { input, answer } = asked();
  input.end();
  await expect(answer).rejects.toBeInstanceOf(NoAnswerError);
  await expect(answer).rejects.toThrow(/^Nobody has answered: .* ADMIN_PASSWORD\.$/);
});

test("a question that is broken off is not one that nobody answers", async () => {
  const interruption = new AbortController();
  const { answer } = asked(interruption.signal);
  interruption.abort();
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
});
