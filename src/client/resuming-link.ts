import { TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { strangeStatusOf } from "./failures";
import { isRecord } from "./is-record";

/** The server sends something every 20 s at the least. */
const SILENCE_MS = 45_000;
const SHORTEST_WAIT_MS = 500;

interface Options {
  /** Between two tries, at the most. */
  maxWaitMs: number;
  /** After so long without anything a stream is begun again. */
  silenceMs?: number;
  /** Cuts the connection that all streams share, upon which it is made again: for one that is never there, or never answers. */
  reconnect?: () => void;
}

/** Calls on one socket that are tried again: tRPC's own ids count upwards, and no two may be the same. */
let lastId = 0;

/**
 * Keeps each subscription alive until it is stopped or refused: begins it again, after the last event that had an id, when it
 * fails or when nothing comes any more. Swallows heartbeats, which say only that the stream is well; a function `onEventId` in
 * the context of the call is given each id, theirs included. For subscriptions, above the link that carries them.
 */
export function resumingLink<Router extends AnyTRPCRouter>({
  maxWaitMs: longestWaitMs,
  silenceMs = SILENCE_MS,
  reconnect,
}: Options): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let running: Unsubscribable | null = null;
        let timer: ReturnType<typeof setTimeout> | undefined;
        let lastEventId: string | undefined;
        /** Of the attempt that counts: what an earlier one still says, such as that it has ended, means nothing. */
        let attempt = 0;
        let failures = 0;
        let silences = 0;
        let isConnecting = false;

        function begin(id: number): void {
          attempt += 1;
          const own = attempt;
          const isOld = () => own !== attempt;
          awaitSign();
          const input = lastEventId === undefined ? op.input : resumed(op.input, lastEventId);
          running = next({ ...op, id, input }).subscribe({
            next(envelope) {
              if (isOld()) return;
              const { result } = envelope;
              if (result.type === "state") isConnecting = result.state === "connecting";
              else {
                isConnecting = false;
                silences = 0;
                awaitSign();
              }
              if (result.type === undefined || result.type === "data") {
                failures = 0;
                if (result.id !== undefined) reach(result.id);
                if (isHeartbeat(result)) return;
              }
              observer.next(envelope);
            },
            error(error) {
              if (isOld()) return;
              if (isFinal(error)) return observer.error(error);
              failures += 1;
              restart(error, waitMs(failures, longestWaitMs));
            },
            complete: () => isOld() || observer.complete(),
          });
        }

        function reach(id: string): void {
          lastEventId = id;
          if (typeof op.context.onEventId === "function") op.context.onEventId(id);
        }

        function awaitSign(): void {
          clearTimeout(timer);
          timer = setTimeout(onSilence, silenceMs);
        }

        function onSilence(): void {
          silences += 1;
          // One that is never made, or that has taken a second try without a word, is no good.
          if (isConnecting || silences > 1) reconnect?.();
          restart(TRPCClientError.from(new Error(`nothing came for ${silenceMs / 1000} s`)), 0);
        }

        function restart(error: TRPCClientError<Router>, delayMs: number): void {
          stop();
          timer = setTimeout(() => {
            lastId -= 1;
            begin(lastId);
          }, delayMs);
          observer.next({ result: { type: "state", state: "connecting", error } });
        }

        function stop(): void {
          attempt += 1;
          clearTimeout(timer);
          running?.unsubscribe();
          running = null;
        }

        begin(op.id);
        return stop;
      });
}

/** Whether asking again would bring the same answer. A proxy's page, a server in trouble and a limit pass. */
function isFinal(error: TRPCClientError<AnyTRPCRouter>): boolean {
  const status: unknown = error.data?.httpStatus ?? strangeStatusOf(error);
  return typeof status === "number" && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Half of the wait is chance, so that not all ask at once from a server that has just started. */
function waitMs(failures: number, maxWaitMs: number): number {
  return Math.min(SHORTEST_WAIT_MS * 2 ** failures, maxWaitMs) * (0.5 + Math.random() / 2);
}

function resumed(input: unknown, lastEventId: string): unknown {
  return input === undefined || isRecord(input) ? { ...input, lastEventId } : input;
}

/** The event itself, or within its envelope where the stream has ids. */
function isHeartbeat({ id, data }: { id?: string | undefined; data?: unknown }): boolean {
  const event = id !== undefined && isRecord(data) ? data.data : data;
  return isRecord(event) && event.type === "heartbeat";
}
