import DataLoader from "dataloader";
import { type Db, oncePerDatabase } from "../../db/client";

/**
 * A read that all who ask the same at the same moment share, such as the streams that one knock wakes. Nothing is kept, so that
 * no row is older than the knock it is read for. What it answers is one object for all of them: not to be changed.
 */
export function sharedRead<Question, Answer>(
  read: (db: Db, question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (db: Db, question: Question) => Promise<Answer> {
  const loaderOf = oncePerDatabase(
    (db) =>
      new DataLoader<Question, Answer, string>(
        async (questions) => {
          const answers = new Map<string, Promise<Answer>>();
          return Promise.all(
            questions.map((question) => {
              const key = keyOf(question);
              const answer = answers.get(key) ?? read(db, question);
              answers.set(key, answer);
              return answer.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
            }),
          );
        },
        { cache: false },
      ),
  );
  return (db, question) => loaderOf(db).load(question);
}
