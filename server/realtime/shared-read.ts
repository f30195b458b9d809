import DataLoader from "dataloader";
import { type Db, perDatabase } from "../../db/client";

/**
 * Reads the keys of all who ask in the same tick in one call. Nothing is cached: no row is older than the notification that made
 * somebody ask. `read` answers in the order of its keys, which may name one twice. All get the same object: do not change it.
 */
export function batchedRead<Key, Answer>(
  read: (db: Db, keys: readonly Key[]) => Promise<Answer[]>,
): (db: Db, key: Key) => Promise<Answer> {
  const loaderOf = perDatabase((db) => new DataLoader<Key, Answer>((keys) => read(db, keys), { cache: false }));
  return (db, key) => loaderOf(db).load(key);
}

/** The same for questions that are read one by one: those that are equal once, and none waits for another's answer. */
export function sharedRead<Question, Answer>(
  read: (db: Db, question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (db: Db, question: Question) => Promise<Answer> {
  const begin = batchedRead<Question, Reading<Answer>>(async (db, questions) => {
    const readings = new Map<string, Reading<Answer>>();
    return questions.map((question) => {
      const key = keyOf(question);
      const reading = readings.get(key) ?? { answer: read(db, question) };
      readings.set(key, reading);
      return reading;
    });
  });
  return async (db, question) => (await begin(db, question)).answer;
}

/** A read that has begun: as a promise alone it would hold up all others of its batch. */
interface Reading<Answer> {
  answer: Promise<Answer>;
}
