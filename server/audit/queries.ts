import type { AuditDetailsOf } from "@db/audit-details";
import { ACCOUNT_TYPES } from "@db/enums";
import type { AuditKind } from "@db/event-kinds";
import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { alias, union } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { fieldName, isoInstant, jsonObject, quoted, whenPresent } from "../../db/expressions";
import { auditEvents, inquiries, invitations, projects, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { AuditEvent, AuditPage, AuditSubject, Person } from "../contract/views";
import { decodeIdCursor, encodeIdCursor } from "../core/cursor";
import { personJson, shownName } from "../users/queries";

const PAGE_SIZE = 50;
/** Rows of the fingerprint: an event may be committed after ones with higher ids. */
const LATECOMERS = 1_000;

interface AuditFilter {
  personId?: string | undefined;
  kind?: AuditKind | undefined;
  cursor?: string | null | undefined;
}

/**
 * Audit events, newest first, 50 a page; optionally those with a person as actor or subject, and of one kind. People are stored by their
 * ids and named here, so that nobody is once they are erased: also in the details, whose `toUserId` gains `to`.
 */
export async function listAudit(db: Db, { personId, kind, cursor }: AuditFilter): Promise<AuditPage> {
  const before = decodeIdCursor(cursor);
  const asked = and(kind && eq(auditEvents.kind, kind), before === null ? undefined : lt(auditEvents.id, before));
  const rows = await selectEvents(db, personId ? inArray(auditEvents.id, ofPerson(db, { personId, asked })) : asked);
  const items = rows.slice(0, PAGE_SIZE).map(({ subjectId, names, ...event }): AuditEvent => {
    const subject = subjectOf({ ...event, subjectId, names });
    const to = names.receiver === null ? {} : { to: names.receiver };
    return { ...event, details: { ...event.details, ...to }, subject };
  });
  const last = items.at(-1);
  return { items, nextCursor: rows.length > PAGE_SIZE && last ? encodeIdCursor(last.id) : null };
}

/** A text that changes with each new event. */
export async function fingerprintAudit(db: Db): Promise<string> {
  const newest = db.select({ id: sql`max(${auditEvents.id}) - ${LATECOMERS}` }).from(auditEvents);
  const [row] = await db
    .select({ value: sql<string>`concat_ws(' ', count(*), max(${auditEvents.id}))` })
    .from(auditEvents)
    .where(sql`${auditEvents.id} > (${newest})`);
  return row?.value ?? "";
}

/** One page from each of two indexes: with OR, PostgreSQL would sort all events of the person. */
function ofPerson(db: Db, { personId, asked }: { personId: string; asked: SQL | undefined }) {
  const newest = (isTheirs: SQL) =>
    db
      .select({ id: auditEvents.id })
      .from(auditEvents)
      .where(and(isTheirs, asked))
      .orderBy(desc(auditEvents.id))
      .limit(PAGE_SIZE + 1);
  return union(newest(eq(auditEvents.actorId, personId)), newest(eq(auditEvents.subjectId, personId)));
}

const subjects = alias(users, "subjects");
/** Who was given the work of somebody else. */
const receivers = alias(users, "receivers");

function selectEvents(db: Db, where: SQL | undefined) {
  const gone: SQL<{ [Key in keyof Person]: Person[Key] | null }> = jsonObject({
    id: auditEvents.actorId,
    name: sql<string>`${MESSAGES.projects.unknownUser}::text`,
    accountType: quoted(ACCOUNT_TYPES, "user"),
    profileImgLink: sql<null>`null`,
  });
  return db
    .select({
      id: auditEvents.id,
      at: isoInstant(auditEvents.at),
      kind: auditEvents.kind,
      details: auditEvents.details,
      subjectId: auditEvents.subjectId,
      actor: whenPresent(
        auditEvents.actorId,
        sql<AuditEvent["actor"]>`coalesce(${whenPresent(users.id, personJson(users))}, ${gone})`,
      ),
      names: {
        // Who accepts an invitation has its id.
        person: sql<string | null>`coalesce(${whenPresent(subjects.id, shownName(subjects))}, ${invitations.name})`,
        receiver: whenPresent(receivers.id, shownName(receivers)),
        inquiry: inquiries.name,
        project: projects.title,
      },
    })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.actorId))
    .leftJoin(subjects, eq(subjects.id, auditEvents.subjectId))
    .leftJoin(
      receivers,
      eq(
        receivers.id,
        sql`(${auditEvents.details} ->> ${fieldName<AuditDetailsOf<"work.handed-over">>("toUserId")})::uuid`,
      ),
    )
    .leftJoin(invitations, eq(invitations.id, auditEvents.subjectId))
    .leftJoin(inquiries, eq(inquiries.id, auditEvents.subjectId))
    .leftJoin(projects, eq(projects.id, auditEvents.subjectId))
    .where(where)
    .orderBy(desc(auditEvents.id))
    .limit(PAGE_SIZE + 1);
}

/** The type of subject of each kind of event. */
const SUBJECT_TYPES: Record<AuditKind, AuditSubject["type"]> = {
  "account.approved": "person",
  "account.rejected": "person",
  "account.deactivated": "person",
  "account.reactivated": "person",
  "account.type-changed": "person",
  "account.made-admin": "person",
  "account.exported": "person",
  "account.erased": "person",
  "invitation.sent": "person",
  "invitation.withdrawn": "person",
  "invitation.accepted": "person",
  "password.changed": "person",
  "password.reset": "person",
  "two-factor.enabled": "person",
  "two-factor.disabled": "person",
  "two-factor.reset": "person",
  "session.ended": "person",
  "api-key.created": "person",
  "api-key.revoked": "person",
  "client-view.opened": "person",
  "comment.deleted": "person",
  "file.removed": "person",
  "conversation.handed-over": "person",
  "conversation.taken-back": "person",
  "conversation.cover-ended": "person",
  "work.handed-over": "person",
  "client-person.added": "person",
  "client-person.removed": "person",
  "repository-token.set": "organisation",
  "repository-token.owners-set": "organisation",
  "webhook.created": "organisation",
  "webhook.deleted": "organisation",
  "repository-token.removed": "organisation",
  "organisation.updated": "organisation",
  "projects.exported": "organisation",
  "template.saved": "organisation",
  "template.deleted": "organisation",
  "data.imported": "organisation",
  "data.exported": "organisation",
  "data.restored": "organisation",
  "backup.asked": "organisation",
  "test-mail.sent": "organisation",
  "inquiry.status-changed": "inquiry",
  "project.deleted": "project",
  "project.collaboration-changed": "project",
  "project.commit-view-changed": "project",
  "sign-off.asked": "project",
  "sign-off.withdrawn": "project",
  "sign-off.decided": "project",
};

interface SubjectRow extends Pick<AuditEvent, "kind" | "details"> {
  subjectId: string | null;
  names: { person: string | null; inquiry: string | null; project: string | null };
}

function subjectOf({ kind, details, subjectId: id, names }: SubjectRow): AuditSubject {
  const type = SUBJECT_TYPES[kind];
  switch (type) {
    case "person":
      return { type, id, name: names.person ?? MESSAGES.projects.unknownUser };
    case "project":
      // The name of a deleted project is in the event only.
      return { type, id, name: names.project ?? details.title ?? null };
    case "inquiry":
      return { type, id, name: names.inquiry };
    default:
      return { type: "organisation", id: null, name: null };
  }
}
