import type { MemberRole } from "@db/enums";
import { and, asc, eq, gt, inArray, ne } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { projectMembers, projects } from "../../../db/schema";
import { columnsOf, rowsOf } from "../../../db/writes";
import { MAX_CLIENT_PEOPLE } from "../../contract/projects";
import { involvedIds } from "../../projects/policy";
import { findFreeKeys } from "../../projects/queries";
import { linkRepository, lockRepositories } from "../../projects/repository";
import { notifyProject } from "../../realtime/notify";
import type { Take } from "./fields";
import { changed, type Subject, unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedProjects } from "./staging";

type Staged = typeof stagedProjects.$inferSelect;
type Resolved = Staged & {
  clientId: string | null;
  clientPeopleIds: string[];
  creatorId: string;
  assignedIds: string[];
  managerIds: string[];
};

interface Importing {
  people: People;
  /** Who stands for a creator that nobody knows. */
  firstAdminId: string;
  /** Then clients are taken as they are, though they may be none any more. */
  isOwnExport: boolean;
  take: Take;
}

/** Adds the staged projects that are not there yet, with the people on them. Returns how many were added. */
export async function importProjects(db: Db | Tx, importing: Importing): Promise<number> {
  const read = (after: number, limit: number) =>
    db
      .select()
      .from(stagedProjects)
      .where(gt(stagedProjects.place, after))
      .orderBy(asc(stagedProjects.place))
      .limit(limit);
  let imported = 0;
  for await (const batch of pages(read)) {
    const resolved = batch.map((project) => resolve(project, importing));
    imported += await db.transaction((tx) => addMissing(tx, resolved));
  }
  await noteOtherKeys(db, importing.take);
  return imported;
}

/** Of all projects of the file, so that a run after one that was killed tells it of those that were there already. */
async function noteOtherKeys(db: Db | Tx, take: Take): Promise<void> {
  const read = (after: number, limit: number) =>
    db
      .select({
        place: stagedProjects.place,
        fileId: stagedProjects.fileId,
        from: stagedProjects.key,
        to: projects.key,
      })
      .from(stagedProjects)
      .innerJoin(projects, eq(projects.id, stagedProjects.id))
      .where(and(gt(stagedProjects.place, after), ne(projects.key, stagedProjects.key)))
      .orderBy(asc(stagedProjects.place))
      .limit(limit);
  for await (const page of pages(read)) {
    for (const { fileId, from, to } of page)
      take(changed({ kind: "project", id: fileId }, "key", { from, to, why: "another project has it" }));
  }
}

function resolve(project: Staged, { people, firstAdminId, isOwnExport, take }: Importing): Resolved {
  const subject: Subject = { kind: "project", id: project.fileId };
  const find = (field: string, ids: readonly string[]) =>
    ids.flatMap((id) => {
      const known = people.byFileId.get(id);
      if (!known) take(unmatched<string>(subject, field, id, "nobody has that id"));
      return known ? [known.userId] : [];
    });
  const creator = project.createdBy === null ? undefined : people.byFileId.get(project.createdBy);
  if (!creator) {
    take(
      changed(subject, "createdBy" satisfies keyof Staged, {
        from: project.createdBy,
        to: firstAdminId,
        why: "nobody has that id",
      }),
    );
  }
  const clientId = clientOf(project, { subject, people, isOwnExport, take });
  return {
    ...project,
    clientId,
    clientPeopleIds: clientPeopleOf(project, { clientId, subject, people, isOwnExport, take }),
    creatorId: creator?.userId ?? firstAdminId,
    assignedIds: [...new Set(find("assignedTo", project.assignedTo))],
    managerIds: [...new Set(find("managers", project.managers))],
  };
}

function clientOf(
  { client, clientName }: Staged,
  { subject, people, isOwnExport, take }: { subject: Subject } & Omit<Importing, "firstAdminId">,
): string | null {
  if (client !== null) {
    const known = people.byFileId.get(client);
    if (known && (isOwnExport || known.accountType === "client")) {
      const isSomeoneElse = clientName !== null && !people.clientsNamed(clientName).includes(known.userId);
      if (isSomeoneElse) take(unmatched(subject, "clientName", clientName, "clientId is there too"));
      return known.userId;
    }
    take(unmatched(subject, "clientId", client, known ? "that person is no client" : "nobody has that id"));
  }
  if (clientName === null) return null;
  const named = people.clientsNamed(clientName);
  if (named.length === 1) return named[0] ?? null;
  const why = named.length === 0 ? "no client bears that name" : `${named.length} clients bear that name`;
  take(unmatched(subject, "clientName", clientName, why));
  return null;
}

/** Those who are clients, beside the client, as many as fit. */
function clientPeopleOf(
  project: Staged,
  {
    clientId,
    subject,
    people,
    isOwnExport,
    take,
  }: { clientId: string | null; subject: Subject } & Omit<Importing, "firstAdminId">,
): string[] {
  const further = new Set<string>();
  for (const id of project.clientPeople) {
    const known = people.byFileId.get(id);
    const refusal = whyNotFurther({ known, clientId, isOwnExport, isFull: further.size >= MAX_CLIENT_PEOPLE });
    if (refusal) take(unmatched(subject, "clientPeople", id, refusal));
    else if (known && known.userId !== clientId) further.add(known.userId);
  }
  return [...further];
}

function whyNotFurther({
  known,
  clientId,
  isOwnExport,
  isFull,
}: {
  known: ReturnType<People["byFileId"]["get"]>;
  clientId: string | null;
  isOwnExport: boolean;
  isFull: boolean;
}): string | null {
  if (!known) return "nobody has that id";
  if (!isOwnExport && known.accountType !== "client") return "that person is no client";
  if (clientId === null) return "the project has no client";
  return isFull ? `a client has at most ${MAX_CLIENT_PEOPLE} further people` : null;
}

async function addMissing(tx: Tx, batch: Resolved[]): Promise<number> {
  const present = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(
      inArray(
        projects.id,
        batch.map(({ id }) => id),
      ),
    );
  const isPresent = new Set(present.map(({ id }) => id));
  const missing = batch.filter(({ id }) => !isPresent.has(id));
  if (missing.length === 0) return 0;
  const repositoryIds = new Map<string, string | null>();
  const links = new Set(missing.flatMap(({ githubRepo }) => githubRepo ?? []));
  await lockRepositories(tx, { links: [...links] });
  for (const link of links) {
    repositoryIds.set(link, await linkRepository(tx, link));
  }
  let waiting = missing;
  while (waiting.length > 0) {
    const keys = await findFreeKeys(
      tx,
      waiting.map(({ title, key }) => ({ title, wanted: key })),
    );
    const rows = waiting.map((project, index) =>
      rowOf(project, keys[index] ?? "", repositoryIds.get(project.githubRepo ?? "") ?? null),
    );
    const inserted = await tx
      .insert(projects)
      .values(rowsOf(projects, rows))
      // Somebody makes one with that key in this moment.
      .onConflictDoNothing({ target: projects.key })
      .returning({ id: projects.id, key: projects.key });
    waiting = waiting.filter(({ id }) => !inserted.some((row) => row.id === id));
  }
  const members = missing.flatMap(({ id: projectId, assignedIds, managerIds, clientPeopleIds }) => {
    const ofRole = (role: MemberRole, ids: string[]) =>
      ids.map((userId, position) => ({ projectId, userId, role, position }));
    return [...ofRole("assigned", assignedIds), ...ofRole("manager", managerIds), ...ofRole("client", clientPeopleIds)];
  });
  if (members.length > 0) await tx.insert(projectMembers).values(rowsOf(projectMembers, members));
  await Promise.all(
    missing.map(({ id, clientId, clientPeopleIds, creatorId, assignedIds, managerIds }) => {
      const newcomers = involvedIds({
        ...{ clientId, clientPeople: clientPeopleIds, createdBy: creatorId },
        ...{ assignedTo: assignedIds, managers: managerIds },
      });
      return notifyProject(tx, { projectId: id, step: { kind: "project-changed" }, newcomers });
    }),
  );
  return missing.length;
}

function rowOf(project: Resolved, key: string, repositoryId: string | null) {
  const { id, title, description, status, startDate, dueDate, githubRepo, liveLink, projectType, clientId } = project;
  return columnsOf(projects, {
    ...{ id, key, title, description, status, startDate, dueDate, githubRepo, repositoryId, liveLink, projectType },
    clientId,
    lastTaskNumber: project.lastTaskNumber ?? 0,
    clientCollaboration: project.clientCollaboration,
    statusReminder: project.statusReminder,
    commitMode: project.commitView.mode,
    maskedWords: project.commitView.maskedWords,
    createdBy: project.creatorId,
    createdAt: new Date(project.createdAt),
    updatedAt: new Date(project.updatedAt),
  });
}
