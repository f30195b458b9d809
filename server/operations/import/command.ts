import { createReadStream, type ReadStream, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Connection, createDb, STARTUP_OPTIONS } from "../../../db/client";
import { isUnavailable } from "../../../db/deadlines";
import { commandLine } from "../../core/command-line";
import { describeStoreFault, findStoreFault } from "../../files/ownership";
import { inviteImportedPeople } from "../../invitations/mutations";
import { findOrganisation } from "../../organisation/queries";
import { ArchiveError, type ArchiveReader, openArchive } from "../archive";
import { explainFailure } from "../failure";
import { type ImportRecord, readImportFile } from "./document";
import type { FileIntake } from "./file-target";
import { ImportFileError } from "./json-parts";
import { createProgress } from "./progress";
import { summariseNotes, writeReport } from "./report";
import { type ImportCounts, ImportRunningError, NoAdminError, runImport } from "./run";
import { readTrelloRecords } from "./trello";
import { readTrelloBoard } from "./trello-board";
import { type Ask, mapTrelloBoard, TrelloMappingError } from "./trello-mapping";

const USAGE = [
  `Usage: ${commandLine("import", "FILE.json [--dry-run] [--report FILE.json] [--invite]")}   (or the FILE.zip of an export)`,
  '       with --from trello [--map "List=inProgress"]... [--map-member "Name=email"]... for a board that Trello has exported',
].join("\n");
const LOST =
  "The connection to the database was lost. Start the import again: what is there already stays, and the rest follows.";
/** Files would go where another database's are; the message says what to do. */
class OtherStoreError extends Error {}
/** What the report should tell is done, and nothing tells it; the message says why. */
class ReportError extends Error {}

const EXPLAINED = [
  ArchiveError,
  ImportFileError,
  ImportRunningError,
  NoAdminError,
  OtherStoreError,
  ReportError,
  TrelloMappingError,
];
const LINES_SHOWN = 20;

interface Wish {
  file: string;
  isDryRun: boolean;
  report: string | null;
  /** Whether people who cannot sign in are invited. */
  isInviting: boolean;
  /** Null for an import file. */
  trello: { maps: string[]; mapMembers: string[] } | null;
}

/**
 * `npm run import`: what to say at the end, and whether it worked. `show` is given what is being done, a few times a second. Files
 * are looked for in the folder of whoever calls.
 */
export async function runImportCommand({
  args,
  connection,
  folder,
  show,
  ask,
  timeZone: defaultTimeZone,
  intake,
}: {
  args: string[];
  connection: Connection;
  folder: string;
  show: (line: string) => void;
  ask: Ask;
  timeZone: string;
  /** Where files of a zip go. */
  intake: Omit<FileIntake, "archive">;
}): Promise<{ ok: boolean; sentence: string }> {
  const wish = readWish(args, folder);
  if (!wish) return { ok: false, sentence: USAGE };
  if (!isFile(wish.file)) return { ok: false, sentence: `There is no file ${wish.file}.` };
  const reportFault = await findReportFault(wish);
  if (reportFault !== null) return { ok: false, sentence: reportFault };
  // What is staged belongs to one connection, which may not be exchanged for another one.
  const { db, close } = createDb(connection, { ...STARTUP_OPTIONS, idle_timeout: 0, max_lifetime: 0 });
  let archive: ArchiveReader | null = null;
  try {
    let sentence = "";
    const { timeZone } = await findOrganisation(db, { timeZone: defaultTimeZone });
    if (wish.file.endsWith(".zip") && !wish.trello) {
      archive = await openArchive(wish.file);
      const fault = await findStoreFault(db, intake.store);
      if (fault !== null) throw new OtherStoreError(describeStoreFault(fault, intake.store));
    }
    let reading: ReadStream | null = null;
    const read = () => {
      reading = createReadStream(wish.file);
      return reading;
    };
    const { size } = statSync(wish.file);
    await runImport(db, {
      source: await openSource(wish, { read, archive, ask, timeZone }),
      intake: archive && { ...intake, archive },
      timeZone,
      isDryRun: wish.isDryRun,
      onProgress: createProgress(show, () => reading && reading.bytesRead / size),
      async report({ imported, db: reading }) {
        const invited = wish.isInviting ? await inviteImportedPeople(reading) : null;
        if (wish.report !== null) {
          await writeReport(wish.report, { imported, invited, db: reading }).catch((error: unknown) => {
            throw reportErrorOf(error, wish);
          });
        }
        const notes = await summariseNotes(reading, { first: wish.report === null ? LINES_SHOWN : 0 });
        sentence = describe({ imported, invited }, notes, wish);
      },
    });
    return { ok: true, sentence };
  } catch (error) {
    const isExplained = EXPLAINED.some((kind) => error instanceof kind);
    if (isExplained && error instanceof Error) return { ok: false, sentence: error.message };
    if (isUnavailable(error) || isStagingGone(error)) return { ok: false, sentence: LOST };
    const isOfFile = error instanceof Error && "path" in error && error.path === wish.file;
    const failure = explainFailure(error, isOfFile ? wish.file : intake.store.place);
    if (failure !== null) return { ok: false, sentence: failure };
    throw error;
  } finally {
    archive?.close();
    await close();
  }
}

async function openSource(
  { trello }: Wish,
  {
    read,
    archive,
    ask,
    timeZone,
  }: { read: () => ReadStream; archive: ArchiveReader | null; ask: Ask; timeZone: string },
): Promise<AsyncGenerator<ImportRecord[]>> {
  // What `npm run export` has written of it.
  if (!trello) return readImportFile(archive ? await archive.read("sangam.json") : read());
  const board = await readTrelloBoard(read());
  const mapping = await mapTrelloBoard(board, { ...trello, ask, timeZone });
  return readTrelloRecords(read(), { board, mapping });
}

/** What is staged goes with the connection, and the next one misses it. */
function isStagingGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "42P01") || isStagingGone(error.cause);
}

function readWish(args: string[], folder: string): Wish | null {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean" },
        report: { type: "string" },
        invite: { type: "boolean" },
        from: { type: "string" },
        map: { type: "string", multiple: true },
        "map-member": { type: "string", multiple: true },
      },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return null;
    const { report, from, map: maps = [], "map-member": mapMembers = [] } = values;
    const isTrello = from === "trello";
    if (!isTrello && (from !== undefined || maps.length + mapMembers.length > 0)) return null;
    return {
      file: resolve(folder, file),
      isDryRun: values["dry-run"] === true,
      isInviting: values.invite === true,
      report: report === undefined ? null : resolve(folder, report),
      trello: isTrello ? { maps, mapMembers } : null,
    };
  } catch {
    return null;
  }
}

/** Before anything is imported: why its report could not be written; null where nothing stands in the way. */
async function findReportFault({ file, report }: Wish): Promise<string | null> {
  if (report === null) return null;
  if (report === file) return `The report would take the place of ${file}: give it another name.`;
  const isThere = isFile(report);
  try {
    await (await open(report, "a")).close();
    if (!isThere) await rm(report);
    return null;
  } catch (error) {
    const why = explainFailure(error, report);
    if (why === null) throw error;
    return `The report cannot be written. ${why}`;
  }
}

function reportErrorOf(error: unknown, { report, isDryRun }: Wish): unknown {
  const why = explainFailure(error, report ?? "");
  if (why === null || isUnavailable(error)) return error;
  const state = isDryRun
    ? "The report could not be written."
    : "Everything is imported, but the report was not written.";
  return new ReportError(`${state} ${why}`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function describe(
  { imported, invited }: { imported: ImportCounts; invited: number | null },
  { unmatched, changed, lines }: { unmatched: number; changed: number; lines: string[] },
  { isDryRun, report }: Wish,
): string {
  const counts = Object.entries(imported).map(([kind, count]) => `${count.toLocaleString("en-GB")} ${inText(kind)}`);
  const done = [
    `${isDryRun ? "Dry run: would import" : "Imported"} ${counts.join(", ")}.`,
    ...(invited === null ? [] : [describeInvited(invited, isDryRun)]),
  ].join("\n");
  const notes = `Not matched: ${unmatched.toLocaleString("en-GB")}; changed: ${changed.toLocaleString("en-GB")}.`;
  const left = unmatched + changed - lines.length;
  if (report !== null) return [done, `${notes} Each stands in ${report}`].join("\n");
  const rest = left > 0 ? [`And ${left.toLocaleString("en-GB")} more: --report FILE.json has them all.`] : [];
  return [done, notes, ...lines, ...rest].join("\n");
}

/** `status updates` of `statusUpdates`. */
function inText(kind: string): string {
  return kind === "signOffs" ? "sign-offs" : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function describeInvited(invited: number, isDryRun: boolean): string {
  const people = `${invited.toLocaleString("en-GB")} ${invited === 1 ? "person" : "people"}`;
  if (isDryRun) return `Would invite ${people}.`;
  return invited === 0 ? "Nobody was left to invite." : `Invited ${people}: the running server sends the emails.`;
}
