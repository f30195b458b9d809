import type { APIRequestContext, Page, Route } from "@playwright/test";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { AppRouter } from "../server/router";
import { transformer } from "../src/client/transformer";

export type Api = TRPCClient<AppRouter>;

/** Calls procedures without a screen, as whoever is signed in there. Rejects with the server's error when it refuses. */
export function api({ request }: { request: APIRequestContext }): Api {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: "/api/trpc",
        transformer,
        async fetch(url, { method = "GET", headers, body } = {}) {
          const response = await request.fetch(String(url), {
            method,
            headers: Object.fromEntries(new Headers(headers as HeadersInit)),
            ...(typeof body === "string" && { data: body }),
            // On a connection that the server was just closing, as idle ones are.
            maxRetries: 2,
          });
          return { ok: response.ok(), json: () => response.json() };
        },
      }),
    ],
  });
}

/** Replaces what a query answers; the other calls of the same request go through. Lasts until the route is removed. */
export async function replaceAnswer<T>(page: Page, procedure: string, change: (answer: T) => T): Promise<void> {
  await page.route(new RegExp(procedure.replace(".", "\\.")), async (route: Route) => {
    const calls = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    const response = await route.fetch();
    const answers: { result: { data: { json: T } } }[] = await response.json();
    const json = answers.map((answer, at) =>
      calls[at] === procedure ? { result: { data: { json: change(answer.result.data.json) } } } : answer,
    );
    await route.fulfill({ response, json });
  });
}

/** Forgets what a query of the open page has answered and asks again, as a page does that is opened now. */
export function askAgain(page: Page, procedure: string): Promise<void> {
  return page.evaluate((path) => {
    const { queryClient } = Reflect.get(window, "__TSR_ROUTER__")?.options.context ?? {};
    void queryClient.resetQueries({ queryKey: [path] });
  }, procedure.split("."));
}

/** Refuses a query in its place, which the page does not try again; the other calls of the same request go through. */
export async function refuse(page: Page, procedure: string): Promise<void> {
  const error = { json: { message: "Refused.", code: -32_600, data: { code: "BAD_REQUEST", httpStatus: 400 } } };
  await page.route(new RegExp(procedure.replace(".", "\\.")), async (route: Route) => {
    const calls = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    const response = await route.fetch();
    const answers: unknown[] = await response.json();
    await route.fulfill({
      response,
      json: answers.map((answer, at) => (calls[at] === procedure ? { error } : answer)),
    });
  });
}
