import superjson from "superjson";
import { expect, test } from "vitest";
import { createSocketEncoder } from "./socket-encoder";

const START = { method: "subscription" };
const STOP = { method: "subscription.stop" };

test("a stop before its stream has started is said again then, once, and every other one is left alone", async () => {
  const { said, receive, answer } = connection();
  receive([
    { id: 1, ...START },
    { id: 2, ...START },
  ]);
  receive({ id: 1, ...STOP });
  await answer({ id: 1, result: { type: "started" } });
  await answer({ id: 2, result: { type: "started" } });
  receive({ id: 2, ...STOP });
  await answer({ id: 2, result: { type: "stopped" } });
  expect(said).toEqual([{ id: 1, ...STOP }]);
});

test("a refused stream and an unreadable message leave nothing behind", async () => {
  const { said, receive, answer } = connection();
  receive({ id: 1, ...START });
  await answer({ id: 1, error: {} });
  receive({ id: 2, ...START });
  await answer({ id: null, error: {} });
  receive([
    { id: 1, ...STOP },
    { id: 2, ...STOP },
  ]);
  for (const id of [1, 2]) await answer({ id, result: { type: "started" } });
  expect(said).toEqual([]);
});

test("a message carries ten calls, and beside them as many streams as a connection may hold, and no more", () => {
  const { receive } = connection();
  const message = (method: string, count: number) => Array.from({ length: count }, (_, id) => ({ id, method }));
  receive([...message("query", 10), ...message("subscription", 50)]);
  expect(() => receive(message("query", 11))).toThrow("too many calls");
  expect(() => receive(message("subscription", 101))).toThrow("too many calls");
});

test("a frozen value, which many are sent, is written as the same text as any other, whatever it holds", () => {
  const value = { title: 'Quotes " and \\ and }}', list: [1, null, { deep: "é" }], result: { data: "x" } };
  const { encode } = connection();
  for (const json of [Object.freeze(value), { ...value }]) {
    const message = { id: 7, jsonrpc: "2.0", result: { type: "data", data: { json } } };
    expect(JSON.parse(encode(message))).toEqual(JSON.parse(JSON.stringify(message)));
    expect(encode(message)).toBe(encode(message));
  }
});

test.each([
  { id: 1, result: { type: "started" } },
  { id: null, method: "reconnect" },
  { id: 2, error: { json: { message: "no" } } },
  { id: 3, result: { type: "data", data: superjson.serialize(Object.freeze({ at: new Date(0) })) } },
])("any other message is left to JSON", (message) => {
  expect(connection().encode(message)).toBe(JSON.stringify(message));
});

function connection() {
  const said: unknown[] = [];
  const { encode, decode } = createSocketEncoder({
    emit: (_event, message) => said.push(JSON.parse(String(message))) > 0,
  });
  return {
    said,
    encode,
    receive: (message: unknown) => decode(JSON.stringify(message)),
    async answer(message: unknown) {
      encode(message);
      await Promise.resolve();
    },
  };
}
