import { setTimeout } from "node:timers/promises";
import { sql, TransactionRollbackError } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { insertAudit } from "../../audit/mutations";
import { commandLine } from "../../core/command-line";
import { followLiveLinks } from "../../live-links/mutations";
import { importComments } from "./comments";
import { importConversations } from "./conversations";
import type { ImportRecord } from "./document";
import type { Take } from "./fields";
import { createRehearsal, createTarget, type FileIntake, type FileTarget } from "./file-target";
import { importFiles } from "./files";
import { dropDoubles, noteLooseMessages, noteLooseTasks } from "./loose-ends";
import { matchMembers } from "./members";
import { importMessageTasks } from "./message-tasks";
import { importMessages } from "./messages";
import type { ImportNote } from "./notes";
import { findFirstAdmin, findPeople, hasAdminSoon, importPeople } from "./people";
import { importProjects } from "./projects";
import { createRecords } from "./records";
import { importRequests } from "./requests";
import { importSettlements } from "./settlements";
import { importSignOffs } from "./sign-offs";
import { createStager, type Stager } from "./stager";
import { createStaging, indexStaging, stagedNotes } from "./staging";
import { importStatusUpdates } from "./status-updates";
import { importTasks } from "./tasks";
import { importTemplates } from "./templates";

/** Any number that nothing else locks: "import" on a telephone's keys. */
const IMPORT_LOCK = 467_678;
const LOCK_TRIES = 10;
const LOCK_RETRY_MS = 300;

/** Another import is under way; the message says what to do. */
export class ImportRunningError extends Error {}

/** There is nobody who could stand for creators that nobody knows; the message says what to do. */
export class NoAdminError extends Error {}

const NO_ADMIN = `There is no admin, neither here nor in the file. Make one first: ${commandLine("admin", 'create --email E --name "N"')}`;

export interface ImportCounts {
  users: number;
  projects: number;
  tasks: number;
  /** Left out for none: files from elsewhere hold no comments. */
  comments?: number;
  /** Left out for none, as comments are. */
  statusUpdates?: number;
  /** Left out for none, as comments are. */
  templates?: number;
  /** Left out for none, as comments are. */
  requests?: number;
  /** Left out for none, as comments are. */
  signOffs?: number;
  conversations: number;
  messages: number;
  /** Left out for none, as comments are. */
  files?: number;
}

/** What is being done, and to how many so far. */
export interface ImportProgress {
  step: "read" | "tasks" | "comments" | "messages" | "files";
  count: number;
  /** How many there are; null while nobody knows. */
  total: number | null;
}

interface ImportOptions {
  source: AsyncIterable<ImportRecord[]>;
  /** Where bytes of files come from and go to; null where a source has none. */
  intake: FileIntake | null;
  /** The organisation's. */
  timeZone: string;
  /** Tells what it would do, and does nothing. */
  isDryRun: boolean;
  onProgress?: (progress: ImportProgress) => void;
  /** Is given the result while the notes can still be read: of a dry run nothing is left afterwards. */
  report: (result: { imported: ImportCounts; db: Db | Tx }) => Promise<void>;
}

/**
 * Imports a source by the one connection of `db`, in a transaction for each batch: what a run that ended early has not done, the next
 * one does. Throws ImportFileError, ImportRunningError and NoAdminError before anything is written.
 */
export async function runImport(db: Db, options: ImportOptions): Promise<void> {
  await lockImports(db);
  try {
    await importSource(db, options);
  } finally {
    // PostgreSQL notices the end of a connection a moment later, and would refuse the next import until then.
    await unlockImports(db).catch(() => {});
  }
}

async function importSource(
  db: Db,
  { source, intake, timeZone, isDryRun, onProgress = () => {}, report }: ImportOptions,
): Promise<void> {
  const notes: (ImportNote & { place: number })[] = [];
  let taken = 0;
  function take(note: ImportNote): void {
    taken += 1;
    notes.push({ ...note, place: taken });
  }
  const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
  await createStaging(db);
  const stager = createStager(db);
  const { stage, isOwnExport } = createRecords({ stager, take, today, timeZone });
  let count = 0;
  for await (const records of source) {
    for (const record of records) await stage(record);
    await stageNotes(stager, notes);
    count += records.length;
    onProgress({ step: "read", count, total: null });
  }
  await stager.flush();
  await dropDoubles(db, take);
  await indexStaging(db);

  async function apply(database: Db | Tx, target: FileTarget | null): Promise<void> {
    const imported = await importStaged(database, {
      ...{ take, today, onProgress, target },
      isOwnExport: isOwnExport(),
    });
    const own = createStager(database);
    await stageNotes(own, notes);
    await own.flush();
    await report({ imported, db: database });
  }
  if (!isDryRun) return apply(db, intake && (await createTarget(db, intake)));
  await db
    .transaction(async (tx) => {
      await apply(tx, intake && createRehearsal(tx, intake));
      tx.rollback();
    })
    .catch((error: unknown) => {
      if (!(error instanceof TransactionRollbackError)) throw error;
    });
}

/** Until it is unlocked, or the connection ends: PostgreSQL notices the end of one that was killed a moment later. */
async function lockImports(db: Db): Promise<void> {
  for (let triesLeft = LOCK_TRIES; triesLeft > 0; triesLeft -= 1) {
    const [row] = await db
      .select({ isLocked: sql<boolean>`pg_try_advisory_lock(${IMPORT_LOCK})` })
      .from(sql`(values (1)) as one`);
    if (row?.isLocked === true) return;
    await setTimeout(LOCK_RETRY_MS);
  }
  throw new ImportRunningError("Another import is under way: wait for its end, then start this one again.");
}

async function unlockImports(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_unlock(${IMPORT_LOCK})`);
}

async function importStaged(
  db: Db | Tx,
  {
    take,
    today,
    onProgress,
    target,
    isOwnExport,
  }: {
    take: Take;
    today: string;
    onProgress: (progress: ImportProgress) => void;
    target: FileTarget | null;
    /** What the product has let be is taken as it is, whatever people have become since. */
    isOwnExport: boolean;
  },
): Promise<ImportCounts> {
  if (!(await hasAdminSoon(db))) throw new NoAdminError(NO_ADMIN);
  const users = await importPeople(db, take);
  await matchMembers(db, take);
  const people = await findPeople(db);
  const firstAdminId = await findFirstAdmin(db);
  // Only when the last admin is gone since.
  if (firstAdminId === null) throw new NoAdminError(NO_ADMIN);
  const projects = await importProjects(db, { people, firstAdminId, isOwnExport, take });
  const tasks = await importTasks(db, {
    firstAdminId,
    take,
    onProgress: (count, total) => onProgress({ step: "tasks", count, total }),
  });
  // Of projects too that a run which ended early has left without.
  await followLiveLinks(db);
  await noteLooseTasks(db, { firstAdminId, take });
  const onComments = (count: number, total: number) => onProgress({ step: "comments", count, total });
  const comments = await importComments(db, { people, firstAdminId, take, onProgress: onComments });
  const statusUpdates = await importStatusUpdates(db, { people, take });
  const templates = await importTemplates(db, { people, firstAdminId, take });
  const conversations = await importConversations(db, { people, today, isOwnExport, take });
  const messages = await importMessages(db, {
    isOwnExport,
    onProgress: (count, total) => onProgress({ step: "messages", count, total }),
  });
  await noteLooseMessages(db, { isOwnExport, take });
  await importMessageTasks(db, { people, firstAdminId, take });
  await importSettlements(db, { people, firstAdminId });
  const requests = await importRequests(db, { people, take });
  const signOffs = await importSignOffs(db, { people, take });
  const onFiles = (count: number, total: number) => onProgress({ step: "files", count, total });
  const files = await importFiles(db, { firstAdminId, take, target, onProgress: onFiles });
  const imported = {
    ...{ users, projects, tasks },
    ...(comments > 0 && { comments }),
    ...(statusUpdates > 0 && { statusUpdates }),
    ...(requests > 0 && { requests }),
    ...(signOffs > 0 && { signOffs }),
    ...(templates > 0 && { templates }),
    ...{ conversations, messages },
    ...(files > 0 && { files }),
  };
  if (Object.values(imported).some((count) => count > 0)) {
    await insertAudit(db, { kind: "data.imported", actorId: null, subjectId: null, details: imported });
  }
  return imported;
}

async function stageNotes(stager: Stager, notes: (ImportNote & { place: number })[]): Promise<void> {
  for (const { place, list, ...row } of notes.splice(0)) {
    await stager.add(stagedNotes, { place, list, row: JSON.stringify(row), sentence: row.text });
  }
}
