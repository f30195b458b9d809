import { type OperationResultEnvelope, TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import type { TRPCErrorShape } from "@trpc/server/rpc";
import type { SuperJSONResult } from "superjson";
import { transformer } from "./transformer";

/** Lists that the server answers with a tag when each is asked for by itself. */
const TAGGED = ["tasks.list", "projects.list"];
/** The ones used last. */
const MAX_KEPT = 50;

type Envelope = OperationResultEnvelope<unknown, TRPCClientError<AnyTRPCRouter>>;

/** The last answer to a call. */
interface Kept {
  tag: string;
  result: Envelope["result"];
}

type Asked = { held: Kept | undefined; signal: AbortSignal };
type Body = { result: { data: SuperJSONResult } } | { error: SuperJSONResult };
type Answer = { response: Response; tag: string | null; result: Kept["result"] };

/**
 * Keeps the answers to lists with their tags, and brings the tag along when it asks again: an unchanged list then costs neither its
 * transfer nor its parsing. In memory only: nothing of it outlives the page or the program. `again` makes what is handed out of
 * what is kept, for callers that may change it. Other calls go on to the next link.
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

  async function ask(address: string, { held, signal }: Asked): Promise<Answer> {
    const response = await fetch(address, {
      headers: held ? { ...headers, "if-none-match": held.tag } : headers,
      // Past the browser's own cache, which would keep what people read on the disk.
      cache: "no-store",
      signal,
    });
    if (held && response.status === 304) return { response, tag: held.tag, result: held.result };
    const body: Body = await response.json();
    if ("error" in body) {
      const error: TRPCErrorShape = transformer.output.deserialize(body.error);
      throw TRPCClientError.from({ error }, { meta: { response } });
    }
    const data: unknown = transformer.output.deserialize(body.result.data);
    return { response, tag: response.headers.get("etag"), result: { type: "data", data } };
  }

  return {
    link:
      () =>
      ({ op, next }) => {
        if (!TAGGED.includes(op.path)) return next(op);
        return observable((observer) => {
          // What arrives after `forget` is not kept.
          const answers = kept;
          const input = encodeURIComponent(JSON.stringify(transformer.input.serialize(op.input)));
          const address = `${url}/${op.path}?input=${input}`;
          const controller = new AbortController();
          const abort = () => controller.abort();
          if (op.signal?.aborted) abort();
          op.signal?.addEventListener("abort", abort);
          ask(address, { held: answers.get(address), signal: controller.signal }).then(
            ({ response, tag, result }) => {
              keep(answers, { address, answer: tag === null ? null : { tag, result } });
              observer.next({ context: { response }, result: again(result) });
              observer.complete();
            },
            (error: Error) => observer.error(TRPCClientError.from(error)),
          );
          return abort;
        });
      },
    forget() {
      kept = new Map();
    },
  };
}

function keep(answers: Map<string, Kept>, { address, answer }: { address: string; answer: Kept | null }): void {
  answers.delete(address);
  if (answer) answers.set(address, answer);
  const [oldest] = answers.keys();
  if (answers.size > MAX_KEPT && oldest) answers.delete(oldest);
}
