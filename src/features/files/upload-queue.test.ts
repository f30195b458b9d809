import { FILE_MESSAGES } from "@server/contract/messages/files";
import { beforeEach, expect, test, vi } from "vitest";
import { createUploadQueue } from "./upload-queue";

/** What the browser would send, answered by the test. */
class Request {
  static sent: Request[] = [];
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  status = 0;
  response: unknown = null;
  address = "";
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  open(_method: string, address: string): void {
    this.address = address;
  }
  setRequestHeader(): void {}
  send(): void {
    Request.sent.push(this);
  }
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
  answer(status: number, response: unknown): void {
    Object.assign(this, { status, response });
    this.onload?.();
    this.onloadend?.();
  }
}

beforeEach(() => {
  Request.sent = [];
  vi.stubGlobal("XMLHttpRequest", Request);
});

const chosen = (count: number) => Array.from({ length: count }, (_, at) => new File(["text"], `${at + 1}.txt`));
const uploaded = (id: string) => ({
  ...{ id, name: `${id}.txt`, size: 4, type: "text/plain", width: null, height: null, visibility: null },
  ...{ createdAt: "2026-11-23T10:00:00.000Z", createdBy: "me" },
});

test("ten files at most, three on their way at a time, in the order in which they were chosen", async () => {
  const queue = createUploadQueue();
  queue.add(chosen(12));
  expect(queue.read().map(({ name }) => name)).toHaveLength(10);
  expect(queue.readComplaint()).toBe(FILE_MESSAGES.tooMany);
  expect(Request.sent.map(({ address }) => address)).toEqual([1, 2, 3].map((at) => `/api/files?name=${at}.txt`));
  Request.sent[1]?.upload.onprogress?.({ loaded: 2, total: 4 });
  expect(queue.read()[1]).toMatchObject({ state: "sending", progress: 0.5 });
  Request.sent[0]?.answer(200, uploaded("a"));
  await vi.waitFor(() => expect(Request.sent).toHaveLength(4));
  expect(queue.read()[0]).toMatchObject({ state: "done", file: { id: "a" } });
});

test("what was sent waits for its answer longer than what is being sent for the next byte", async () => {
  vi.useFakeTimers();
  try {
    const queue = createUploadQueue();
    queue.add(chosen(2));
    const [picture] = Request.sent;
    picture?.upload.onprogress?.({ loaded: 4, total: 4 });
    picture?.upload.onload?.();
    await vi.advanceTimersByTimeAsync(70_000);
    // The server prepares other people's pictures first.
    picture?.answer(200, uploaded("a"));
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.read()).toMatchObject([
      { state: "done", file: { id: "a" } },
      { state: "failed", message: FILE_MESSAGES.interrupted },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("files that come back stand once beside those that are there, also where together they are too many", () => {
  const queue = createUploadQueue([uploaded("a")]);
  queue.add(chosen(1));
  expect(queue.restore([uploaded("a"), uploaded("b")]).map(({ id }) => id)).toEqual(["a", "b"]);
  queue.restore(Array.from({ length: 10 }, (_, at) => uploaded(`c${at}`)));
  expect(queue.read()).toHaveLength(13);
});

test("what the server refuses for good cannot be tried again, everything else can", async () => {
  const queue = createUploadQueue();
  const failWith = async (status: number, response: unknown) => {
    queue.clear();
    queue.add(chosen(1));
    Request.sent.at(-1)?.answer(status, response);
    await vi.waitFor(() => expect(queue.read()[0]?.state).toBe("failed"));
    const [{ message, canRetry } = {}] = queue.read();
    return { message, canRetry };
  };
  expect(await failWith(413, "<html>")).toEqual({ message: FILE_MESSAGES.tooLarge, canRetry: false });
  expect(await failWith(400, { message: "No name." })).toEqual({ message: "No name.", canRetry: false });
  expect(await failWith(409, { message: "Full." })).toEqual({ message: "Full.", canRetry: true });
  expect(await failWith(502, null)).toMatchObject({ canRetry: true });
  expect(await failWith(500, { message: "A fault.", requestId: "r-1" })).toEqual({
    message: "A fault. Reference: r-1",
    canRetry: true,
  });
  expect(await failWith(200, { id: 7 })).toMatchObject({ canRetry: true });
  const [failed] = queue.read();
  queue.retry(failed?.key ?? "");
  Request.sent.at(-1)?.answer(200, uploaded("b"));
  await vi.waitFor(() => expect(queue.read()[0]).toMatchObject({ state: "done", message: null }));
});

test("a file that is removed is not uploaded any more, and those behind it are", async () => {
  const queue = createUploadQueue([uploaded("kept")]);
  queue.add(chosen(4));
  const [, first] = queue.read();
  const aborted = vi.spyOn(Request.sent[0] ?? new Request(), "abort");
  queue.remove(first?.key ?? "");
  expect(aborted).toHaveBeenCalled();
  await vi.waitFor(() => expect(Request.sent).toHaveLength(4));
  expect(queue.read().map(({ name }) => name)).toEqual(["kept.txt", "2.txt", "3.txt", "4.txt"]);
});

test("a file is called what it will be stored as: composed, without what turns letters around, and a pasted picture by its time where its reader is", () => {
  const queue = createUploadQueue();
  const lastModified = new Date(2026, 10, 23, 1, 11, 12).getTime();
  queue.add([
    new File(["text"], "invoice\u202Efdp.exe"),
    new File(["text"], "Mu\u0308ller.pdf"),
    new File(["text"], "image.png", { type: "image/png", lastModified }),
    new File(["text"], "", { type: "image/webp", lastModified }),
  ]);
  const names = ["invoice fdp.exe", "Müller.pdf", "pasted-2026-11-23-011112.png", "pasted-2026-11-23-011112.webp"];
  expect(queue.read().map(({ name }) => name)).toEqual(names);
  const addressed = Request.sent.map(({ address }) => new URLSearchParams(address.split("?")[1]).get("name"));
  expect(addressed).toEqual(names.slice(0, 3));
});
