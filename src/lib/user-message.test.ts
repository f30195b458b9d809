import type { ErrorReason } from "@server/contract/error-reasons";
import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { codeOf, fieldErrorsOf, isRefusal, messageOf, referenceOf, sessionEndOf } from "./user-message";

function refused(code: string, httpStatus: number, message: string, details: object = { kind: "domain" }) {
  return TRPCClientError.from({ error: { code: -32_000, message, data: { code, httpStatus, ...details } } });
}

test("a refusal is told in the server's own words, everything else in general ones", () => {
  expect(messageOf(refused("CONFLICT", 409, "Asha has already decided."))).toBe("Asha has already decided.");
  const internal = refused("INTERNAL_SERVER_ERROR", 500, "select * from users", { kind: "internal" });
  expect(messageOf(internal)).toBe(GENERAL_MESSAGES.internal);
  expect(messageOf(new Error("x is undefined"))).toBe(GENERAL_MESSAGES.internal);
  expect(messageOf("?")).toBe(GENERAL_MESSAGES.internal);
});

test("a fault of the server says under which reference the log has more", () => {
  const fault = refused("INTERNAL_SERVER_ERROR", 500, "x", { kind: "internal", requestId: "0f3c9a12be4471d0" });
  expect(messageOf(fault)).toBe(`${GENERAL_MESSAGES.internal} Reference: 0f3c9a12be4471d0`);
  expect(referenceOf(fault)).toBe("Reference: 0f3c9a12be4471d0");
  expect(referenceOf(refused("NOT_FOUND", 404, "x"))).toBeNull();
  expect(referenceOf(new Error("x"))).toBeNull();
});

test("an answer that never came, or came from something else, says that the server cannot be reached", () => {
  expect(messageOf(TRPCClientError.from(new TypeError("Failed to fetch")))).toBe(GENERAL_MESSAGES.unreachable);
  expect(messageOf(TRPCClientError.from(new SyntaxError("Unexpected token <")))).toBe(GENERAL_MESSAGES.unreachable);
});

test("complaints about fields are named as the form names them", () => {
  const error = refused("BAD_REQUEST", 400, GENERAL_MESSAGES.invalid, {
    kind: "validation",
    fieldErrors: { "patch.dueDate": ["Too early.", "Too odd."], email: ["Wrong."] },
  });
  expect(fieldErrorsOf(error)).toEqual({ dueDate: "Too early.", email: "Wrong." });
  expect(fieldErrorsOf(new Error("x"))).toEqual({});
});

test("only a session that is over, or an account that may not sign in, sends to /login", () => {
  const endOf = (reason?: ErrorReason) => sessionEndOf(refused("FORBIDDEN", 403, "x", { kind: "domain", reason }));
  expect(endOf("session-ended")).toBe("signed-out");
  expect(endOf("account-pending")).toBe("pending");
  expect(endOf("account-inactive")).toBe("rejected");
  expect(endOf("profile-missing")).toBe("profile");
  expect(endOf("api-key-not-allowed")).toBeNull();
  expect(endOf()).toBeNull();
  expect(sessionEndOf(new Error("x"))).toBeNull();
});

test("a refusal is not asked again, a failure is", () => {
  expect(isRefusal(refused("NOT_FOUND", 404, "x"))).toBe(true);
  expect(isRefusal(refused("INTERNAL_SERVER_ERROR", 500, "x"))).toBe(false);
  expect(isRefusal(TRPCClientError.from(new TypeError("Failed to fetch")))).toBe(false);
  expect(codeOf(refused("CONFLICT", 409, "x"))).toBe("CONFLICT");
});
