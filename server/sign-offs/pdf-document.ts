import PDFDocument from "pdfkit";
import { FIRM_NAME, STATUS_LABELS } from "../contract/labels";
import { SIGN_OFF_MESSAGES } from "../contract/messages/sign-offs";
import {
  describeChange,
  describeCommits,
  describeScope,
  nameIn,
  SIGN_OFF_LABELS,
  type SignOffFormat,
} from "../contract/sign-off-text";
import type { SignOff } from "../contract/views";
import { createTextWriter, FIRST_FONT, type WriteText } from "./pdf-text";

type Document = InstanceType<typeof PDFDocument>;

const MARGIN = 56;
const GREY = "#49505a";
/** Beside the task, in points from the left edge of the paper: A4 is 595 wide. */
const STATUS_X = 390;
const DUE_X = 470;
const ROW_HEIGHT = 40;

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MOMENT = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});

const FORMAT: SignOffFormat = {
  status: (status) => new Map<string, string>(Object.entries(STATUS_LABELS)).get(status) ?? status,
  day: (day) => DAY.format(new Date(`${day}T00:00:00Z`)),
  instantDay: (instant) => DAY.format(new Date(instant)),
};

/** The instant as it stands in a document that is read anywhere: "23 Nov 2026, 12:34 UTC". */
const moment = (instant: string) => `${MOMENT.format(new Date(instant))} UTC`;

/** A sign-off as a document on A4, with all that its page shows. */
export async function drawSignOff(signOff: SignOff): Promise<Buffer> {
  const { record, status } = signOff;
  const document = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    font: FIRST_FONT(),
    bufferPages: true,
    info: { Title: `Sign-off: ${record.project.title}`, Author: FIRM_NAME },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.once("end", resolve));
  const write = createTextWriter(document);
  write(FIRM_NAME, { size: 13, isBold: true });
  write(`Sign-off · ${record.project.key}`, { color: GREY });
  document.moveDown();
  write(`Sign-off: ${record.project.title}`, { size: 20, isBold: true });
  write(SIGN_OFF_LABELS[status], { isBold: true });
  write(`Asked by ${nameIn(signOff, record.askedBy)} of ${record.signer.name}, ${moment(record.askedAt)}`, {
    color: GREY,
  });
  rule(document);
  drawChanges(signOff, { document, write });
  part("Question", { document, write }, () => write(record.question, { size: 11 }));
  part(`What is signed: ${describeScope(record).toLowerCase()}`, { document, write }, () =>
    drawTasks(signOff, { document, write }),
  );
  drawEvidence(signOff, { document, write });
  drawSignature(signOff, { document, write });
  numberPages(document, signOff.id);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

interface Paper {
  document: Document;
  write: WriteText;
}

function part(title: string, { document, write }: Paper, draw: () => void): void {
  if (document.y > document.page.height - MARGIN - ROW_HEIGHT * 2) document.addPage();
  write(title, { color: GREY, isBold: true });
  document.moveDown(0.3);
  draw();
  document.moveDown();
}

function drawChanges({ changedAfter }: SignOff, paper: Paper): void {
  if (!changedAfter) return;
  part(SIGN_OFF_MESSAGES.changedAfter, paper, () => {
    for (const change of changedAfter) paper.write(`· ${describeChange(change, FORMAT)}`);
  });
}

function drawTasks({ record: { tasks, project } }: SignOff, { document, write }: Paper): void {
  if (tasks.length === 0) write("No tasks.");
  for (const { number, title, status, dueDate } of tasks) {
    if (document.y > document.page.height - MARGIN - ROW_HEIGHT) document.addPage();
    const top = document.y;
    write(FORMAT.status(status), { x: STATUS_X, y: top, width: DUE_X - STATUS_X - 8 });
    write(dueDate ? FORMAT.day(dueDate) : "", { x: DUE_X, y: top });
    write(`${project.key}-${number} ${title}`, { y: top, width: STATUS_X - MARGIN - 12 });
    document.moveDown(0.4);
  }
}

function drawEvidence({ record: { commits, liveLink, files } }: SignOff, paper: Paper): void {
  const { write } = paper;
  if (commits.length > 0) {
    part("Commits", paper, () => {
      for (const range of commits) write(`${range.repository}: ${describeCommits(range, FORMAT)}`);
    });
  }
  if (liveLink) part("Live link", paper, () => write(liveLink));
  if (files.length === 0) return;
  part("Files", paper, () => {
    for (const { name, size, hash } of files) {
      write(`${name}, ${size.toLocaleString("en-GB")} bytes`);
      write(`SHA-256 ${hash}`, { size: 8, color: GREY });
    }
  });
}

function drawSignature(signOff: SignOff, { document, write }: Paper): void {
  const { status, decidedBy, decidedAt, reason, record } = signOff;
  if (document.y > document.page.height - MARGIN - ROW_HEIGHT * 2) document.addPage();
  rule(document);
  if (status === "asked" || !decidedBy || !decidedAt) {
    write(`Not signed yet. ${record.signer.name} is asked to.`);
    return;
  }
  if (reason) write(reason);
  document.moveDown();
  write(nameIn(signOff, decidedBy), { size: 16 });
  write(`${SIGN_OFF_LABELS[status]} by ${nameIn(signOff, decidedBy)}, ${moment(decidedAt)}`, { color: GREY });
}

function rule(document: Document): void {
  document.moveDown(0.6);
  document
    .moveTo(MARGIN, document.y)
    .lineTo(document.page.width - MARGIN, document.y)
    .strokeColor("#bbbbbb")
    .stroke();
  document.moveDown(0.8);
}

/** At the foot of each page, below its margin: which document it belongs to. */
function numberPages(document: Document, id: string): void {
  const { start, count } = document.bufferedPageRange();
  for (let at = start; at < start + count; at += 1) {
    document.switchToPage(at);
    const { page } = document;
    const { margins } = page;
    page.margins = { ...margins, bottom: 0 };
    document.font("regular").fontSize(8).fillColor(GREY);
    document.text(`${id} · ${at + 1} of ${count}`, MARGIN, page.height - MARGIN / 2 - 8, { lineBreak: false });
    page.margins = margins;
  }
}
