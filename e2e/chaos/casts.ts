import type { StreamKind } from "./inbox";

/** Somebody in a round. */
export interface Role {
  name: string;
  accountType: "admin" | "user" | "client";
  tabs: number;
  /** Whom they write messages to, by name. */
  partners: readonly string[];
  /** Why they are told of comments; null for who has no part in anything, and probes what is none of theirs. */
  inProject: "creator" | "manager" | "assignee" | "client" | null;
  stream?: StreamKind;
}

/** Who takes part in a round, and what they comment on. */
export interface Cast {
  roles: readonly Role[];
  tasks: number;
  commentsPerSecond: number;
  /** Each next person prefers the next server; else all prefer the first one. */
  isSpread: boolean;
}

/** Every pair has exactly one admin; one admin and one client have no part in anything. One person uses no browser. */
export const FIRM: Cast = {
  roles: [
    { name: "Asha", accountType: "admin", tabs: 2, partners: ["Chitra", "Dev"], inProject: "creator" },
    {
      name: "Bela",
      accountType: "admin",
      tabs: 1,
      partners: ["Chitra", "Dev"],
      inProject: "manager",
      stream: "chat.onInbox",
    },
    { name: "Chitra", accountType: "user", tabs: 2, partners: ["Asha", "Bela"], inProject: "assignee" },
    { name: "Dev", accountType: "client", tabs: 1, partners: ["Asha", "Bela"], inProject: "client" },
    { name: "Esha", accountType: "admin", tabs: 1, partners: [], inProject: null },
    { name: "Farid", accountType: "client", tabs: 1, partners: [], inProject: null },
  ],
  tasks: 2,
  commentsPerSecond: 6,
  isSpread: false,
};

/** Twenty people who comment on one task. */
export const ONE_TASK: Cast = {
  roles: [
    member("Asha", "admin", "creator"),
    member("Dev", "client", "client"),
    ...Array.from({ length: 18 }, (_, at) => member(`Person ${at + 1}`, "user", at < 2 ? "manager" : "assignee")),
  ],
  tasks: 1,
  commentsPerSecond: 6,
  isSpread: true,
};

function member(name: string, accountType: Role["accountType"], inProject: Role["inProject"]): Role {
  return { name, accountType, tabs: 1, partners: [], inProject };
}
