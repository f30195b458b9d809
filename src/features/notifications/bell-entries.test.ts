import { expect, test, vi } from "vitest";
import { bellEntries } from "./bell-entries";

const LOADING = { label: "Loading...", disabled: true };
const reading = { items: undefined, error: null, retry: () => {}, isRetrying: true };

test("the bell's menu says that it loads, and that there is nothing", () => {
  expect(bellEntries(reading)).toMatchObject([LOADING]);
  expect(bellEntries({ ...reading, items: [], isRetrying: false })).toMatchObject([{ label: "You're all caught up" }]);
});

test("a list that could not be read says so, and is read again by Retry", () => {
  const failed = { ...reading, error: new Error("unreachable"), retry: vi.fn(), isRetrying: false };
  const [reason, retry, ...others] = bellEntries(failed);
  expect(reason).toMatchObject({ label: "Notifications could not be loaded.", disabled: true });
  expect(others).toEqual([]);
  if (retry && "onSelect" in retry) retry.onSelect();
  expect(failed.retry).toHaveBeenCalledOnce();
  expect(bellEntries({ ...failed, isRetrying: true })).toMatchObject([LOADING]);
});
