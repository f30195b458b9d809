import type { TeamMember } from "@server/contract/views";
import { expect, test } from "vitest";
import { byTeamTab, findPeople } from "./team-filter";

const PEOPLE = [person("Asha Kulkarni", "admin"), person("Élodie Rao", "user"), person("Kabir Anand", "client")];

test("people are found by any part of the name, whatever its case and accents, and by e-mail", () => {
  expect(names(findPeople(PEOPLE, " ELO "))).toEqual(["Élodie Rao"]);
  expect(names(findPeople(PEOPLE, "a"))).toEqual(["Asha Kulkarni", "Élodie Rao", "Kabir Anand"]);
  expect(names(findPeople(PEOPLE, "asha@"))).toEqual(["Asha Kulkarni"]);
  expect(names(findPeople(PEOPLE, ""))).toHaveLength(3);
  expect(findPeople(PEOPLE, "nobody")).toEqual([]);
});

test("users and admins are the team, clients stand apart", () => {
  const { all, team, clients } = byTeamTab(PEOPLE);
  expect(names(all)).toHaveLength(3);
  expect(names(team)).toEqual(["Asha Kulkarni", "Élodie Rao"]);
  expect(names(clients)).toEqual(["Kabir Anand"]);
});

function names(people: readonly TeamMember[]): string[] {
  return people.map(({ name }) => name);
}

function person(name: string, accountType: TeamMember["accountType"]): TeamMember {
  const email = accountType === "client" ? null : `${name.split(" ")[0]?.toLowerCase()}@sangam.example`;
  return { id: name, name, accountType, profileImgLink: null, email, projects: [] };
}
