import { expect, test } from "vitest";
import { createDb } from "../../db/client";
import { writeJsonText } from "../../db/expressions";
import { commonRead, Overlay } from "./common-reads";
import { sharedRead } from "./stream";

/** Reads are by name; "late" never comes, "broken" fails. Nothing here connects to a database. */
function reader() {
  const { db } = createDb({ url: "postgres://nowhere.invalid/none" });
  const asked: string[] = [];
  const read = sharedRead(
    async (_db, name: string) => {
      asked.push(name);
      if (name === "late") return new Promise<string>(() => {});
      if (name === "broken") throw new Error("broken");
      return `answer to ${name}`;
    },
    (name) => name,
  );
  return { asked, read: (name: string) => read(db, name) };
}

test("one late or failed read delays nobody who asked for something else in the same moment", async () => {
  const { read } = reader();
  void read("late");
  const failed = read("broken");
  expect(await Promise.all([read("one"), read("two")])).toEqual(["answer to one", "answer to two"]);
  await expect(failed).rejects.toThrow("broken");
});

test("who asks for the same in one moment shares a read, and who asks later starts another, whatever became of the first", async () => {
  const { asked, read } = reader();
  expect(await Promise.all([read("one"), read("one")])).toEqual(["answer to one", "answer to one"]);
  await read("one");
  const failures = await Promise.allSettled([read("broken"), read("broken")]);
  expect(failures.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(read("broken")).rejects.toThrow("broken");
  expect(asked).toEqual(["one", "one", "broken", "broken"]);
});

test("who reads the same rows later holds the same answer, and other rows are another one", async () => {
  const { db } = createDb({ url: "postgres://nowhere.invalid/none" });
  let rows = [{ id: "one", seq: 1 }];
  const read = commonRead(async (_db, _name: string) => writeJsonText(rows), {
    keyOf: (name) => name,
    answerOf: (all) => new Map(all.map(({ id, seq }) => [id, { seq }])),
  });
  const first = await read(db, "a");
  expect(await read(db, "a")).toBe(first);
  expect(await read(db, "b")).not.toBe(first);
  rows = [{ id: "one", seq: 2 }];
  expect([...(await read(db, "a"))]).toEqual([["one", { seq: 2 }]]);
  expect([...first]).toEqual([["one", { seq: 1 }]]);
});

test("what one has become different in, the others do not see", () => {
  const common = new Map([1, 2].map((seq) => [`${seq}`, { seq }]));
  const [one, other] = [new Overlay(common), new Overlay(common)];
  one.set("1", { seq: 10 });
  one.set("3", { seq: 3 });
  one.delete("2");
  expect(one.keys().map((key) => one.get(key))).toEqual([{ seq: 10 }, { seq: 3 }]);
  expect(one.get("2")).toBeUndefined();
  one.set("2", { seq: 20 });
  expect(one.get("2")).toEqual({ seq: 20 });
  expect(other.keys().map((key) => other.get(key))).toEqual([{ seq: 1 }, { seq: 2 }]);
});
