import { AUDIT_KINDS } from "@db/event-kinds";
import type { AuditEvent } from "@server/contract/views";
import { expect, test } from "vitest";
import { auditSentence, KIND_GROUPS } from "./audit-text";

const asha = { id: "a", name: "Asha Rao", accountType: "admin", profileImgLink: null } as const;
const event = (given: Partial<AuditEvent>): AuditEvent => ({
  id: 1,
  at: new Date().toISOString(),
  kind: "account.approved",
  actor: asha,
  subject: { type: "person", id: "n", name: "Nikhil Jain" },
  details: {},
  ...given,
});
const organisation = { type: "organisation", id: null, name: null } as const;

test.each<[Partial<AuditEvent>, string]>([
  [{ details: { accountType: "client" } }, "Asha Rao approved Nikhil Jain as client"],
  [{}, "Asha Rao approved Nikhil Jain"],
  [
    { details: { accountType: "client", emailVerified: false } },
    "Asha Rao approved Nikhil Jain as client, email not confirmed",
  ],
  [
    { kind: "account.reactivated", details: { emailVerified: false } },
    "Asha Rao reactivated Nikhil Jain, email not confirmed",
  ],
  [
    { kind: "account.type-changed", details: { accountType: "user" } },
    "Asha Rao changed the account type of Nikhil Jain to user",
  ],
  [{ kind: "account.made-admin", actor: null }, "The server made Nikhil Jain an admin"],
  [{ kind: "invitation.sent", details: { accountType: "client" } }, "Asha Rao invited Nikhil Jain as client"],
  [{ kind: "invitation.sent", details: { again: true } }, "Asha Rao sent a new invitation to Nikhil Jain"],
  [{ kind: "invitation.withdrawn" }, "Asha Rao withdrew the invitation of Nikhil Jain"],
  [
    { kind: "invitation.accepted", details: { accountType: "client", projects: 0, passedOver: 2 } },
    "Asha Rao accepted their invitation as client, without 2 of the chosen projects",
  ],
  [{ kind: "session.ended" }, "Asha Rao ended one of their sessions"],
  [{ kind: "session.ended", details: { sessions: 1 } }, "Asha Rao ended their other session"],
  [{ kind: "session.ended", details: { sessions: 3 } }, "Asha Rao ended their 3 other sessions"],
  [
    { kind: "repository-token.set", subject: organisation, details: { owners: "konkan, quay", replaced: true } },
    "Asha Rao replaced the repository token for konkan, quay",
  ],
  [
    { kind: "api-key.created", details: { name: "Nightly report", scope: "read" } },
    "Asha Rao created the API key Nightly report, read only",
  ],
  [{ kind: "api-key.revoked", details: { name: "Nightly report" } }, "Asha Rao revoked the API key Nightly report"],
  [
    { kind: "repository-token.owners-set", subject: organisation, details: { owners: "konkan" } },
    "Asha Rao changed the accounts of the repository token to konkan",
  ],
  [{ kind: "repository-token.set", subject: organisation }, "Asha Rao set the repository token"],
  [{ kind: "client-view.opened" }, "Asha Rao viewed the portal of Nikhil Jain"],
  [
    { kind: "projects.exported", subject: organisation, details: { format: "csv" } },
    "Asha Rao exported projects as CSV",
  ],
  [{ kind: "projects.exported", subject: organisation }, "Asha Rao exported projects"],
  [
    { kind: "projects.exported", subject: organisation, details: { format: "json", scope: "mine", projects: 1 } },
    "Asha Rao exported 1 project of their own as JSON",
  ],
  [
    { kind: "projects.exported", subject: organisation, details: { format: "csv", scope: "all", projects: 12 } },
    "Asha Rao exported 12 projects as CSV",
  ],
  [
    { kind: "data.imported", subject: organisation, details: { messages: 1200, users: 3, projects: 0 } },
    "Asha Rao imported 3 users, 1,200 messages",
  ],
  [{ kind: "data.exported", subject: organisation }, "Asha Rao exported everything"],
  [{ kind: "backup.asked", subject: organisation }, "Asha Rao asked for a backup"],
  [{ kind: "test-mail.sent", subject: organisation }, "Asha Rao sent a test email"],
  [
    { kind: "data.restored", subject: organisation, details: { takenAt: "2026-11-20T02:30:00.000Z" } },
    "Asha Rao restored the backup of 2026-11-20",
  ],
  [
    { kind: "project.deleted", subject: { type: "project", id: "p", name: "Quay lights" }, details: { key: "QL" } },
    "Asha Rao deleted the project Quay lights (QL)",
  ],
  [
    {
      kind: "project.collaboration-changed",
      subject: { type: "project", id: "p", name: "Quay lights" },
      details: { key: "QL", clientCollaboration: true },
    },
    "Asha Rao switched client collaboration on in Quay lights (QL)",
  ],
  [
    {
      kind: "project.commit-view-changed",
      subject: { type: "project", id: "p", name: "Quay lights" },
      details: { key: "QL", mode: "counts", words: 0 },
    },
    "Asha Rao changed what the client sees of commits (counts) in Quay lights (QL)",
  ],
  [
    { kind: "client-person.added", details: { title: "Quay lights", key: "QL" } },
    "Asha Rao gave Nikhil Jain the client's access to Quay lights (QL)",
  ],
  [
    { kind: "client-person.removed", details: { title: "Quay lights", key: "QL" } },
    "Asha Rao took from Nikhil Jain the client's access to Quay lights (QL)",
  ],
  [{ kind: "file.removed", details: { subject: "HBP-3" } }, "Asha Rao removed a file of Nikhil Jain (HBP-3)"],
  [{ kind: "comment.deleted", details: { subject: "HBP-3" } }, "Asha Rao deleted a comment of Nikhil Jain (HBP-3)"],
  [
    {
      kind: "inquiry.status-changed",
      subject: { type: "inquiry", id: "i", name: "Leela" },
      details: { to: "answered" },
    },
    "Asha Rao marked the inquiry of Leela as answered",
  ],
  [
    { kind: "inquiry.status-changed", subject: { type: "inquiry", id: "i", name: "Leela" }, details: { to: "new" } },
    "Asha Rao reopened the inquiry of Leela",
  ],
  [
    { kind: "inquiry.status-changed", subject: { type: "inquiry", id: "i", name: null }, details: { to: "closed" } },
    "Asha Rao closed an inquiry",
  ],
])("%j reads as a sentence", (given, sentence) => {
  expect(auditSentence(event(given))).toBe(sentence);
});

test("every kind has a sentence of its own, without a word that only programs use, and a place in the filter", () => {
  const sentences = AUDIT_KINDS.map((kind) => auditSentence(event({ kind })));
  expect(new Set(sentences).size).toBe(AUDIT_KINDS.length);
  for (const sentence of sentences)
    expect(sentence.replace(/two-factor sign-in|sign-off/, "")).not.toMatch(/undefined|null|“|\.|-/);
  expect(KIND_GROUPS.flatMap(({ kinds }) => Object.keys(kinds)).toSorted()).toEqual([...AUDIT_KINDS].toSorted());
});

test("a kind that only a newer server knows is shown, not hidden", () => {
  const newer = Reflect.apply(event, null, [{ kind: "coffee.made" }]) as AuditEvent;
  expect(auditSentence(newer)).toBe("Asha Rao did “coffee.made”");
});

test("a name from right to left keeps its order to itself", () => {
  const sentence = auditSentence(event({ subject: { type: "person", id: "n", name: "ليلى" } }));
  expect(sentence).toBe("Asha Rao approved \u2068ليلى\u2069");
});
