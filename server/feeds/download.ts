import { createHash } from "node:crypto";
import ical, { ICalEventTransparency } from "ical-generator";
import { DAY_MS } from "../contract/days";
import { MESSAGES } from "../contract/messages";
import type { Context } from "../core/context";
import { answerDownload, type TracedCall } from "../core/downloads";
import { DomainError } from "../core/errors";
import { hashOf } from "./mutations";
import { type DueThing, findFeedOwner, listDue } from "./queries";

const FILE_NAME = /^([A-Za-z0-9_-]{43})\.ics$/;

/** The calendar of whoever an address belongs to: it needs no session, since the address itself is the right. Never rejects. */
export function answerCalendar(call: Context, { fileName }: { fileName: string }): Promise<Response> {
  return answerDownload(call, { name: "feeds.calendarFile", start: (traced) => start(traced, fileName) });
}

async function start(call: TracedCall, fileName: string): Promise<Response> {
  await call.limits.consume("calendar", call.address);
  const [, token] = FILE_NAME.exec(fileName) ?? [];
  const owner = token === undefined ? null : await findFeedOwner(call.db, { tokenHash: hashOf(token) });
  if (!owner) throw new DomainError("NOT_FOUND", MESSAGES.general.notFound);
  call.trace.actorId = owner.id;
  const body = writeCalendar(await listDue(call.db, owner), {
    publicUrl: call.publicUrl,
    isClient: owner.accountType === "client",
  });
  const tag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = { etag: tag, "cache-control": "private, no-cache" };
  const held = call.headers
    .get("if-none-match")
    ?.split(",")
    .map((one) => one.trim().replace(/^W\//, ""));
  if (held?.includes(tag)) return new Response(null, { status: 304, headers });
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'inline; filename="sangam.ics"',
    },
  });
}

/** RFC 5545: one all-day event for each due date. The same things give the same bytes. */
function writeCalendar(
  due: readonly DueThing[],
  { publicUrl, isClient }: { publicUrl: string; isClient: boolean },
): string {
  const calendar = ical({
    name: "Sangam",
    prodId: { company: "Sangam", product: "Due dates", language: "EN" },
    ttl: 3_600,
  });
  const { hostname } = new URL(publicUrl);
  for (const { id, key, number, title, projectTitle, dueDate, isDone, updatedAt } of due) {
    const start = new Date(`${dueDate}T00:00:00Z`);
    const url =
      number === null
        ? `${publicUrl}/${isClient ? "client?open" : "dashboard?panel"}=${id}`
        : `${publicUrl}/task/${key}-${number}`;
    const name = number === null ? `${key} ${title}` : `${key}-${number} ${title}`;
    calendar.createEvent({
      ...{
        id: `${id}@${hostname}`,
        start,
        end: new Date(start.valueOf() + DAY_MS),
        allDay: true,
        timezone: "UTC",
        url,
      },
      ...{ stamp: updatedAt, lastModified: updatedAt, transparency: ICalEventTransparency.TRANSPARENT },
      summary: isDone ? `${name} (completed)` : name,
      description: number === null ? url : `${projectTitle}\n${url}`,
    });
  }
  return `${calendar.toString()}\r\n`;
}
