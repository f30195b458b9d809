import DataLoader from "dataloader";
import { type Db, oncePerDatabase } from "../../db/client";

/**
 * A read shared by all who ask the same question at the same moment, such as the streams that one notification wakes up. Nothing
 * is cached, so no row is older than its notification, and nobody waits for another question's answer. All callers get the same
 * object: do not change it.
 */
export function sharedRead<Question, Answer>(
  read: (db: Db, question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (db: Db, question: Question) => Promise<Answer> {
  const loaderOf = oncePerDatabase(
    (db) =>
      new DataLoader<Question, Reading<Answer>, string>(
        async (questions) => {
          const readings = new Map<string, Reading<Answer>>();
          return questions.map((question) => {
            const key = keyOf(question);
            const reading = readings.get(key) ?? { answer: read(db, question) };
            readings.set(key, reading);
            return reading;
          });
        },
        { cache: false },
      ),
  );
  return async (db, question) => {
    const { answer } = await loaderOf(db).load(question);
    return answer;
  };
}

/** A read that has begun: as a promise alone it would hold up all others of its batch. */
interface Reading<Answer> {
  answer: Promise<Answer>;
}
