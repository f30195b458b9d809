import type { Message } from "@server/contract/views";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createGapMender } from "./gap-mender";

const places: { before: number; limit: number }[] = [];
const noted: number[] = [];
let isConnected = true;
let answer: (place: { before: number; limit: number }) => Promise<{ items: Message[] }>;

beforeEach(() => {
  vi.useFakeTimers();
  places.length = 0;
  noted.length = 0;
  isConnected = true;
  answer = async ({ before, limit }) => ({
    items: Array.from({ length: limit }, (_, at) => message(before - limit + at)),
  });
});
afterEach(() => vi.useRealTimers());

function mender() {
  return createGapMender({
    read(place) {
      places.push(place);
      return answer(place);
    },
    note: (messages) => noted.push(...messages.map(({ seq }) => seq)),
    isConnected: () => isConnected,
  });
}

function message(seq: number): Message {
  const timestamp = new Date(0).toISOString();
  return {
    id: `m${seq}`,
    conversationId: "c",
    seq,
    senderId: "s",
    text: "",
    timestamp,
    read: false,
    clientMessageId: null,
  };
}

test("what is missing is read once, and nothing around it", async () => {
  mender().look({ from: 4, before: 7 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(places).toEqual([{ before: 7, limit: 3 }]);
  expect(noted).toEqual([4, 5, 6]);
});

test("a hole that fills by itself is not read", async () => {
  const { look } = mender();
  look({ from: 4, before: 7 });
  await vi.advanceTimersByTimeAsync(1_000);
  look(null);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(places).toEqual([]);
});

test("while the stream is interrupted, and after a failure, it is tried again later", async () => {
  isConnected = false;
  const reading = answer;
  answer = () => Promise.reject(new Error("away"));
  mender().look({ from: 4, before: 5 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(places).toEqual([]);
  isConnected = true;
  await vi.advanceTimersByTimeAsync(2_000);
  answer = reading;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(noted).toEqual([4]);
});

test("a long hole is read from its upper end, and then what is left of it", async () => {
  const { look } = mender();
  look({ from: 4, before: 304 });
  await vi.advanceTimersByTimeAsync(2_000);
  look({ from: 4, before: 104 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(places).toEqual([
    { before: 304, limit: 200 },
    { before: 104, limit: 100 },
  ]);
});

test("what goes on missing further up puts nothing off", async () => {
  const { look } = mender();
  look({ from: 4, before: 7 });
  await vi.advanceTimersByTimeAsync(1_500);
  look({ from: 4, before: 9 });
  await vi.advanceTimersByTimeAsync(500);
  expect(places).toEqual([{ before: 9, limit: 5 }]);
});
