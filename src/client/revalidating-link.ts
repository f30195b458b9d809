import {
  httpLink,
  type Operation,
  type OperationResultEnvelope,
  type TRPCClientError,
  type TRPCLink,
} from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { transformer } from "./transformer";

/** Lists that the server answers with a tag when each is asked for by itself. */
const TAGGED = new Set(["tasks.list", "projects.list"]);
/** The ones used last. */
const MAX_KEPT = 50;

type Envelope = OperationResultEnvelope<unknown, TRPCClientError<AnyTRPCRouter>>;

/** The last answer to a call. */
interface Kept {
  tag: string;
  result: Envelope["result"];
}

/** Whether a call goes over a revalidating link. */
export function isRevalidated({ type, path }: Pick<Operation, "type" | "path">): boolean {
  return type === "query" && TAGGED.has(path);
}

/**
 * Keeps the answers to lists with their tags, and brings the tag along when it asks again: an unchanged list then costs neither its
 * transfer nor its parsing. In memory only: nothing of it outlives the page or the program. `again` makes what is handed out of
 * what is kept, for callers that may change it.
 */
export function createRevalidation<Router extends AnyTRPCRouter>({
  url,
  headers = {},
  again = (result) => result,
}: {
  url: string;
  headers?: Record<string, string>;
  again?: (result: Kept["result"]) => Kept["result"];
}): { link: TRPCLink<Router>; forget(): void } {
  let kept = new Map<string, Kept>();
  const send = httpLink<AnyTRPCRouter>({
    url,
    transformer,
    headers: ({ op: { context } }) => ({
      ...headers,
      ...(typeof context.heldTag === "string" && { "if-none-match": context.heldTag }),
    }),
    fetch: fetchTagged,
  });

  return {
    link: (runtime) => {
      const carry = send(runtime);
      return ({ op, next }) =>
        observable((observer) => {
          const key = JSON.stringify([op.path, op.input]);
          // What arrives after `forget` is not kept.
          const answers = kept;
          const held = answers.get(key);
          return carry({ op: { ...op, context: { ...op.context, heldTag: held?.tag } }, next }).subscribe({
            ...observer,
            next(value) {
              const response = value.context?.response;
              const answer = response instanceof Response ? response : null;
              if (held && answer?.status === UNCHANGED) {
                keep(answers, { key, answer: held });
                observer.next({ ...value, result: again(held.result) });
                return;
              }
              const tag = answer?.headers.get("etag");
              keep(answers, { key, answer: tag ? { tag, result: again(value.result) } : null });
              observer.next(value);
            },
          });
        });
    },
    forget() {
      kept = new Map();
    },
  };
}

function keep(answers: Map<string, Kept>, { key, answer }: { key: string; answer: Kept | null }): void {
  answers.delete(key);
  if (answer) answers.set(key, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= MAX_KEPT) break;
    answers.delete(oldest);
  }
}

const UNCHANGED = 304;

/** Past the browser's own cache, which would keep what people read on the disk. */
async function fetchTagged(url: RequestInfo | URL | string, init?: object): Promise<Response> {
  const response = await fetch(url, { ...init, cache: "no-store" });
  // Nothing to read: the link puts what it holds in its place.
  const json = async () => ({ result: { data: { json: null } } });
  return response.status === UNCHANGED ? Object.assign(response, { json }) : response;
}
