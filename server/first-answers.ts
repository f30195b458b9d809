import type { AccountType } from "@db/enums";
import type { inferRouterInputs } from "@trpc/server";
import type { FirstCall } from "./contract/first-answers";
import { LIVE_CURSOR_HEADER } from "./contract/live-cursor";
import type { AppPage } from "./contract/paths";
import type { FirstAnswersReader } from "./core/app-documents";
import type { AppRouter } from "./router";

type Inputs = inferRouterInputs<AppRouter>;
type CallOf<Module extends keyof Inputs & string> = {
  [Name in keyof Inputs[Module] & string]: FirstCall & {
    path: `${Module}.${Name}`;
    input?: NonNullable<Inputs[Module][Name]> & object;
  };
}[keyof Inputs[Module] & string];
type Call = { [Module in keyof Inputs & string]: CallOf<Module> }[keyof Inputs & string];

const ME: Call = { path: "auth.me" };
const INBOX: Call = { path: "chat.conversations" };
const UNREAD: Call = { path: "notifications.unread" };
const REQUESTS: Call = { path: "requests.counts" };
const SINCE: Call = { path: "overview.sinceLastVisit" };
const WAITING: Call = { path: "overview.waiting" };
const NOTIFICATIONS: Call = { path: "notifications.list", input: {}, isPaged: true };

/** What the shells ask, and what each page asks besides. e2e/first-load.spec.ts: all of it is used, and nothing is asked again. */
const SHELLS = {
  dashboard: (type) => [
    { path: "projects.list", input: { scope: "mine" } },
    UNREAD,
    ...(type === "client" ? [] : [INBOX, REQUESTS]),
  ],
  admin: () => [
    { path: "projects.list", input: { scope: "all" } },
    INBOX,
    UNREAD,
    REQUESTS,
    { path: "users.list", input: { status: "pending" }, isPaged: true },
    { path: "inquiries.list", input: { status: "new" }, isPaged: true },
  ],
  client: () => [{ path: "projects.list", input: { scope: "mine" } }, INBOX, UNREAD, REQUESTS],
} satisfies Record<string, (type: AccountType) => Call[]>;
const PAGES: Partial<Record<AppPage, Call[]>> = {
  "/dashboard/inbox": [NOTIFICATIONS],
  "/admin/inbox": [NOTIFICATIONS],
  "/client/inbox": [NOTIFICATIONS],
  "/dashboard/tasks": [{ path: "tasks.mine" }],
  "/dashboard/overview": [{ path: "tasks.mine" }, { path: "projects.history", input: {}, isPaged: true }],
  "/dashboard/team": [{ path: "users.team" }],
  "/admin/users": [{ path: "users.list", input: {}, isPaged: true }, { path: "users.invitations" }],
  "/admin/activity": [{ path: "github.commits" }, { path: "projects.findings" }],
  "/admin/clients": [{ path: "users.clients" }],
  "/client/requests": [{ path: "requests.list", input: {}, isPaged: true }],
  "/admin/requests": [{ path: "requests.list", input: {}, isPaged: true }],
  "/dashboard/requests": [{ path: "requests.list", input: {}, isPaged: true }],
  "/client": [{ path: "github.commits" }, { path: "signOffs.list", input: { status: "asked" } }, SINCE],
  "/admin": [SINCE, WAITING],
  "/dashboard": [SINCE],
  "/sign-offs/:id": [UNREAD],
};

/** Everything that a page asks as soon as it opens. */
function firstCalls(page: AppPage, type: AccountType): Call[] {
  const [, shell = ""] = /^\/(dashboard|admin|client)\b/.exec(page) ?? [];
  const asked = shell === "dashboard" || shell === "admin" || shell === "client" ? SHELLS[shell](type) : [];
  // What waits for a manager; admins have it on their own start page.
  const waiting = page === "/dashboard" && type === "user" ? [WAITING] : [];
  return [ME, ...asked, ...(PAGES[page] ?? []), ...waiting];
}

/**
 * Asks what a page will ask, as the page would: one batch over the API's own way in, with the visitor's cookie and nothing else,
 * so that every check, limit and log line is the same.
 */
export function createFirstAnswers({
  endpoint,
  ask,
}: {
  endpoint: string;
  ask: (path: string, headers: Headers, bindings: object) => Response | Promise<Response>;
}): FirstAnswersReader {
  return async ({ page, type, cookie, bindings }) => {
    const calls = firstCalls(page, type);
    const inputs = Object.fromEntries(calls.flatMap(({ input }, at) => (input ? [[at, { json: input }]] : [])));
    const query = new URLSearchParams({ batch: "1", input: JSON.stringify(inputs) });
    const path = `${endpoint}/${calls.map((call) => call.path).join(",")}?${query}`;
    const answer = await ask(path, new Headers({ cookie }), bindings);
    const text = await answer.text();
    // One call that is refused leaves the others as they are; anything else is no batch of answers.
    if (!text.startsWith("[")) throw new Error(`The first answers of ${page} were refused: ${answer.status}`);
    const cursor = answer.headers.get(LIVE_CURSOR_HEADER);
    return `{"cursor":${JSON.stringify(cursor)},"calls":${JSON.stringify(calls)},"answers":${text}}`;
  };
}
