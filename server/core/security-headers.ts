import type { MiddlewareHandler } from "hono";

/** Pages whose address may hold the token of a link in a mail. */
const MAY_HOLD_TOKEN: ReadonlySet<string> = new Set(["/reset-password", "/confirm-email", "/invitation"]);

/** The headers of access.md on every answer; `scriptHashes` allow the pages' own inline scripts and no other. */
export function securityHeaders({
  scriptHashes,
  https,
}: {
  scriptHashes: string[];
  https: boolean;
}): MiddlewareHandler {
  const policy = [
    "default-src 'self'",
    ["script-src 'self'", ...scriptHashes].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers: [string, string][] = [
    ["content-security-policy", policy],
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=()"],
    ...(https ? [["strict-transport-security", "max-age=31536000"] satisfies [string, string]] : []),
  ];
  return async (c, next) => {
    await next();
    // What somebody has uploaded has stricter ones of its own.
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (MAY_HOLD_TOKEN.has(c.req.path)) c.res.headers.set("referrer-policy", "no-referrer");
  };
}
