import type { SearchResults } from "@server/contract/views";
import { fold } from "@/lib/fold";

/**
 * What an older answer can say about the words of now: only what one sees to hold them. Whoever types on and presses Enter
 * before the answer is there must not open what the first letters found.
 */
export function stillFound({ projects, tasks, people }: SearchResults, query: string): SearchResults {
  const wanted = fold(query);
  const holds = (text: string) => fold(text).includes(wanted);
  return {
    projects: projects.filter(({ key, title }) => holds(title) || holds(key)),
    tasks: tasks.filter(({ title, number, project }) => holds(title) || holds(`${project.key}-${number}`)),
    people: people.filter(({ name }) => holds(name)),
  };
}
