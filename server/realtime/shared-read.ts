import DataLoader from "dataloader";
import { type Db, oncePerDatabase } from "../../db/client";

/**
 * A read that all who ask the same at the same moment share, such as the streams that one knock wakes. Nothing is kept, so that
 * no row is older than the knock it is read for; and nobody waits for what others asked. What it answers is one object for all
 * of them: not to be changed.
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
