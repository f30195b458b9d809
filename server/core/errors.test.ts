import { expect, test } from "vitest";
import { createDb } from "../../db/client";
import { DomainError, publicError, toTrpcError } from "./errors";

test("a call that the database cannot answer now is a 503 with a reason, and keeps its details to itself", async () => {
  const { db, close } = createDb({ host: "/nowhere", port: 5432, username: "nobody", database: "none" });
  const thrown = await db.query.users.findFirst().then(
    () => null,
    (error: unknown) => error,
  );
  await close();
  const error = toTrpcError(thrown);
  expect(error.code).toBe("SERVICE_UNAVAILABLE");
  expect(publicError(error)).toEqual({
    message: "The server cannot reach its database right now. Please try again in a moment.",
    details: { kind: "domain", reason: "database-unavailable" },
  });
});

test("any other fault stays internal, and a refusal keeps its reason", () => {
  expect(toTrpcError(new Error("secret")).code).toBe("INTERNAL_SERVER_ERROR");
  expect(toTrpcError(Object.assign(new Error("a file"), { code: "ENOENT" })).code).toBe("INTERNAL_SERVER_ERROR");
  const refusal = toTrpcError(new DomainError("BAD_REQUEST", "Gone.", { reason: "link-expired" }));
  expect(publicError(refusal)).toEqual({ message: "Gone.", details: { kind: "domain", reason: "link-expired" } });
});
