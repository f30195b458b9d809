import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { expect, test } from "vitest";
import { readTokenForm, tokenFieldErrors } from "./token-form-values";

const TOKEN = "github_pat_0123456789";
const ENTERED = { mayKeep: false };

test("names may be parted by commas, blanks and lines, in any case and twice", () => {
  expect(readTokenForm({ token: ` ${TOKEN} `, owners: "Konkan, sangam-software\nkonkan;; " }, ENTERED)).toEqual({
    fields: { token: TOKEN, owners: ["konkan", "sangam-software"] },
  });
});

test("both fields complain at once when both are empty", () => {
  expect(readTokenForm({ token: " ", owners: " , " }, ENTERED)).toEqual({
    fieldErrors: { token: GITHUB_MESSAGES.tokenRequired, owners: GITHUB_MESSAGES.ownersRequired },
  });
});

test("an empty field keeps the present token where there is one to keep; what is typed replaces it", () => {
  const mayKeep = { mayKeep: true };
  expect(readTokenForm({ token: " ", owners: "konkan" }, mayKeep)).toEqual({ fields: { owners: ["konkan"] } });
  expect(readTokenForm({ token: TOKEN, owners: "konkan" }, mayKeep)).toEqual({
    fields: { token: TOKEN, owners: ["konkan"] },
  });
  expect(readTokenForm({ token: "two words", owners: "" }, mayKeep)).toEqual({
    fieldErrors: { token: GITHUB_MESSAGES.tokenMisshapen, owners: GITHUB_MESSAGES.ownersRequired },
  });
});

test("a name that cannot be one is named in the complaint", () => {
  expect(readTokenForm({ token: TOKEN, owners: "konkan, https://github.com/konkan" }, ENTERED)).toEqual({
    fieldErrors: { owners: `https://github.com/konkan: ${GITHUB_MESSAGES.ownerMisshapen}` },
  });
});

test("a token with blanks inside is refused in words that do not repeat it", () => {
  expect(readTokenForm({ token: "two words", owners: "konkan" }, ENTERED)).toEqual({
    fieldErrors: { token: GITHUB_MESSAGES.tokenMisshapen },
  });
});

test("the server's errors appear at their fields, also one about a single name", () => {
  const form = { token: TOKEN, owners: "konkan -x" };
  expect(tokenFieldErrors({ token: GITHUB_MESSAGES.tokenRefused }, form)).toEqual({
    token: GITHUB_MESSAGES.tokenRefused,
  });
  expect(tokenFieldErrors({ "owners.1": "No." }, form)).toEqual({ owners: "-x: No." });
  expect(tokenFieldErrors({ elsewhere: "No." }, form)).toEqual({});
});
