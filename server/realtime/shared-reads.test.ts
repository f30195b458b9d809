import { expect, test } from "vitest";
import { createDb } from "../../db/client";
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
