import type { TeamMember } from "@server/contract/views";
import { fold } from "@/lib/fold";
import type { TeamTab } from "./team-tabs";

/** People whose name or email contains the query, in their order. */
export function findPeople(people: readonly TeamMember[], q: string): TeamMember[] {
  const query = fold(q);
  return people.filter(({ name, email }) => fold(name).includes(query) || email?.toLowerCase().includes(query));
}

/** The same people by tab. */
export function byTeamTab(people: readonly TeamMember[]): Record<TeamTab, readonly TeamMember[]> {
  const isClient = ({ accountType }: TeamMember) => accountType === "client";
  return { all: people, team: people.filter((one) => !isClient(one)), clients: people.filter(isClient) };
}
