import type { ErrorHandler } from "hono";
import type { Bindings } from "./client-address";
import { errorResponse } from "./errors";
import { describeError, type Logger } from "./logger";

/** Answers what a route threw. A refusal is told as it is; a fault of ours is logged, and a page where one was being opened. */
export function errorHandler(logger: Logger): ErrorHandler<{ Bindings: Bindings }> {
  return (error, { env: { requestId }, req }) => {
    const answer = errorResponse(error, { requestId });
    if (answer.status < 500) return answer;
    logger.error("request", { requestId, ...describeError(error) });
    return opensPage(req.raw) ? errorPage({ status: answer.status, requestId }) : answer;
  };
}

/** Whether the browser is opening a page, and not asking for something that a page needs. */
export function opensPage({ method, headers }: Request): boolean {
  const destination = headers.get("sec-fetch-dest");
  if (method !== "GET") return false;
  return destination === null ? (headers.get("accept") ?? "").startsWith("text/html") : destination === "document";
}

/**
 * What a person sees when the server failed to answer a navigation. Needs nothing else that could fail: no build, no style
 * sheet, no script.
 */
export function errorPage({ status, requestId }: { status: number; requestId: string | undefined }): Response {
  const reference = requestId === undefined ? "" : `<p>Reference: <code>${requestId.replace(/[^\w-]/g, "")}</code></p>`;
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Something went wrong</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { display: grid; place-items: center; min-height: 100dvh; margin: 0 }
main { max-width: 44ch; padding: 16px }
</style>
<main>
<h1>This page could not be shown</h1>
<p>Something went wrong on the server. Please try again in a moment.</p>
<p><a href="">Try again</a></p>
${reference}
</main>
</html>
`;
  return new Response(page, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}
