import type { MiddlewareHandler } from "hono";

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
    "img-src 'self' data: https:",
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
    for (const [name, value] of headers) c.res.headers.set(name, value);
    // Its address may hold a token.
    if (c.req.path === "/reset-password") c.res.headers.set("referrer-policy", "no-referrer");
  };
}
