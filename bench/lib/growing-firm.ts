import { eq } from "drizzle-orm";
import type { Db, Sql } from "../../db/client";
import { makeConversation, makeUser, type UserRow } from "../../db/factories";
import { appendedRank } from "../../db/ranks";
import { makeRepository } from "../../db/repository-factory";
import { projects } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf } from "../../db/writes";
import { fillAround } from "./around-projects";
import { makeFirm } from "./rig";

/** Three people and all that their screens show; it stays as it is while the rest of the organisation grows. */
export interface Screens {
  employee: UserRow;
  client: UserRow;
  admin: UserRow;
  /** The first has 200 tasks, the others 16 each. */
  projectIds: string[];
  /** The key of a task of the first. */
  taskKey: string;
  conversationId: string;
}

export async function makeScreens(db: Db): Promise<Screens> {
  const { user: employee, people, projectIds } = await makeFirm(db, { projects: 20, tasks: 320, tasksOfFirst: 200 });
  const client = people.find(({ accountType }) => accountType === "client");
  if (!client) throw new Error("a firm has clients");
  const admin = await makeUser(db, { name: "Head of all", accountType: "admin" });
  const spoken = Array.from({ length: 60 }, (_, at) => ({ senderId: at % 2 ? admin.id : employee.id }));
  const { id: conversationId } = await makeConversation(db, { between: [admin.id, employee.id], messages: spoken });
  const repository = await makeRepository(db, { fullName: "konkan/shown", commits: madeCommits("shown", 200) });
  await db.execute(`
    update projects set github_repo = 'https://github.com/konkan/shown', repository_id = '${repository.id}'
    where client_id = '${client.id}'`);
  await db.execute(`
    insert into project_events (project_id, actor_id, kind) select id, created_by, 'project.updated' from projects, generate_series(1, 20)`);
  const [shown] = await db
    .select({ key: projects.key })
    .from(projects)
    .where(eq(projects.id, projectIds[0] ?? ""));
  return { employee, client, admin, projectIds, taskKey: `${shown?.key}-1`, conversationId };
}

/** What the three are asked and notified of beside their tasks, and when they were here last. */
export async function fillScreens(sql: Sql, { client }: Screens): Promise<void> {
  await fillAround(
    sql,
    `select p.id as project_id, t.id as task_id, created_by as by, '${client.id}'::uuid as client_id
      from projects p join lateral (select id from tasks where project_id = p.id order by number limit 1) as t on true`,
  );
  await sql`insert into last_visits (user_id, seen_up_to) select id, now() - interval '1 day' from users`;
}

function madeCommits(seed: string, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    sha: `${seed}${at}`,
    message: `Change number ${at} to something that matters\n\nWith a few words on why.`,
    authorName: "Rohan Shah",
  }));
}

/** Today's large case; sizes are multiples of it. */
const LARGE = {
  people: 500,
  projects: 300,
  tasksEach: 17,
  talks: 60,
  messagesEach: 40,
  repositories: 10,
  commitsEach: 300,
  inquiries: 300,
  audit: 1_000,
  eventsEach: 20,
};

/** A statement; `of` gives the rows `n` of what is new of a kind. */
type Step = (of: (kind: "people" | "projects" | "talks" | "repositories" | "inquiries" | "audit") => string) => string;

/**
 * Grows what only the admin of the three may see, from one size to another. Ids follow from numbers, so that rows refer to each
 * other without being read: each project has three people and a manager, each task one person, each talk an admin.
 */
export async function growElsewhere(
  { db, sql }: { db: Db; sql: Sql },
  { from, to }: { from: number; to: number },
): Promise<void> {
  const count = (kind: keyof typeof LARGE, size = to) => Math.round(LARGE[kind] * size);
  const employee = (seed: string) => id("person", `(${seed}) % ${count("people") / 10} * 10 + 1 + (${seed}) % 6`);
  const client = (seed: string) => id("person", `(${seed}) % ${count("people") / 10} * 10 + 8 + (${seed}) % 2`);
  const admin = (seed: string) => id("person", `(${seed}) % ${count("people") / 100} * 100`);
  const statements = [
    ...people(),
    ...code(),
    ...undertakings({ employee, client, repositories: count("repositories") }),
    ...talks({ admin, employee }),
    ...REST,
  ];
  // Foreign keys would be checked row by row, by plans made while the tables were small.
  await sql`set session_replication_role = replica`;
  const of: Parameters<Step>[0] = (kind) => `generate_series(${count(kind, from)}, ${count(kind) - 1}) as n`;
  for (const statement of statements) await sql.unsafe(statement(of));
  await fillAround(
    sql,
    `select ${id("project", "n")} as project_id, ${id("task", "n", "1")} as task_id, ${employee("n")} as by, ${client("n")} as client_id
      from ${of("projects")}`,
  );
  await db.update(projects).set(columnsOf(projects, taskTotals)).where(eq(projects.taskCount, 0));
  await sql`reset session_replication_role`;
  await sql.unsafe("vacuum analyze");
}

function id(kind: string, ...numbers: string[]): string {
  return `md5('${kind} ' || ${numbers.map((number) => `(${number})`).join(" || ' ' || ")})::uuid`;
}

const NEXT_HOUR = "now() + interval '1 hour'";

/** Of ten: seven employees, of whom one waits, two clients. Every hundredth is an admin. */
function people(): Step[] {
  return [
    (of) => `
      insert into users (id, name, display_name, username, email, account_type, account_status, email_presumed, created_at)
      select ${id("person", "n")}, 'Somebody ' || n, 'Somebody ' || n, 'somebody' || n, 'somebody' || n || '@elsewhere.example',
        (case when n % 100 = 0 then 'admin' when n % 10 in (8, 9) then 'client' else 'user' end)::account_type,
        (case when n % 10 = 7 then 'pending' else 'active' end)::account_status, true, now() - n * interval '1 hour'
      from ${of("people")}`,
    (of) => `
      insert into sessions (token, user_id, expires_at)
      select 'elsewhere-' || n, ${id("person", "n")}, ${NEXT_HOUR} from ${of("people")}`,
    (of) => `
      insert into invitations (email, name, account_type, expires_at)
      select 'invited' || n || '@elsewhere.example', 'Invited ' || n, 'user', ${NEXT_HOUR} from ${of("people")} where n % 10 = 0`,
  ];
}

function code(): Step[] {
  return [
    (of) => `
      insert into repositories (id, owner, name, full_name, last_success_at, due_at)
      select ${id("repository", "n")}, 'elsewhere', 'code-' || n, 'elsewhere/code-' || n, now(), ${NEXT_HOUR} from ${of("repositories")}`,
    (of) => `
      insert into commits (repository_id, sha, message, html_url, author_name, authored_at)
      select ${id("repository", "n")}, 'sha-' || n || '-' || c, 'Change number ' || c || ' of what matters', 'https://github.com/',
        'Rohan Shah', now() - c * interval '1 minute' - n * interval '1 second'
      from ${of("repositories")}, generate_series(1, ${LARGE.commitsEach}) as c`,
  ];
}

type IdOf = (seed: string) => string;

function undertakings({
  employee,
  client,
  repositories,
}: {
  employee: IdOf;
  client: IdOf;
  repositories: number;
}): Step[] {
  const created = "now() - ((n * 7919) % 9000) * interval '1 hour'";
  const ranks = Array.from({ length: LARGE.tasksEach }, (_, at) => `(${at + 1}, '${appendedRank(at + 1)}')`).join();
  return [
    (of) => `
      insert into projects (id, key, title, description, status, start_date, due_date, client_id, created_by, created_at,
        last_task_number, github_repo, repository_id)
      select ${id("project", "n")}, 'EL' || n, 'Undertaking ' || n || ' of another department', 'What it is for, in a sentence of its own.',
        (array['todo', 'inProgress', 'completed'])[1 + n % 3]::project_status, '2026-01-01', date '2026-06-01' + n % 365, ${client("n")},
        ${employee("n")}, ${created}, ${LARGE.tasksEach}, 'https://github.com/elsewhere/code-' || n % ${repositories},
        ${id("repository", `n % ${repositories}`)}
      from ${of("projects")}`,
    (of) => `
      insert into project_members (project_id, user_id, role, position)
      select ${id("project", "n")}, ${employee("n * 3 + s")}, (case when s < 3 then 'assigned' else 'manager' end)::member_role, s
      from ${of("projects")}, generate_series(0, 3) as s on conflict do nothing`,
    (of) => `
      insert into tasks (id, project_id, number, rank, title, description, status, status_before, completed_at, due_date, created_by, created_at)
      select ${id("task", "n", "t")}, ${id("project", "n")}, t, rank, 'Job ' || t || ': what there is to do there',
        'A few words on what it is about, where to find it and when it counts as done.',
        (case when t % 3 = 0 then 'completed' else 'todo' end)::task_status, case when t % 3 = 0 then 'todo'::task_status end,
        case when t % 3 = 0 then now() end, date '2026-06-01' + (n + t) % 365, ${employee("n")}, ${created}
      from ${of("projects")}, (values ${ranks}) as ranked (t, rank)`,
    (of) => `
      insert into task_assignees (task_id, user_id)
      select ${id("task", "n", "t")}, ${employee("n * 3 + t % 3")} from ${of("projects")}, generate_series(1, ${LARGE.tasksEach}) as t`,
    (of) => `
      insert into project_events (project_id, at, actor_id, kind, task_id, task_number, task_title)
      select ${id("project", "n")}, ${created} + e * interval '1 minute', ${employee("n")}, 'task.created', ${id("task", "n", "1")}, 1, 'Job 1'
      from ${of("projects")}, generate_series(1, ${LARGE.eventsEach}) as e`,
  ];
}

function talks({ admin, employee }: { admin: IdOf; employee: IdOf }): Step[] {
  const [one, other] = [admin("n"), employee("n * 5 + 2")];
  return [
    (of) => `
      insert into conversations (id, lower_user_id, higher_user_id, last_seq, updated_at)
      select ${id("talk", "n")}, least(${one}, ${other}), greatest(${one}, ${other}), ${LARGE.messagesEach}, now() - n * interval '1 minute'
      from ${of("talks")} on conflict do nothing`,
    (of) => `
      insert into messages (conversation_id, seq, sender_id, client_message_id, text)
      select conversations.id, m, lower_user_id, gen_random_uuid(), 'A sentence that somebody wrote to somebody else, number ' || m
      from ${of("talks")}, conversations, generate_series(1, ${LARGE.messagesEach}) as m where conversations.id = ${id("talk", "n")}`,
  ];
}

const REST: Step[] = [
  (of) => `
    insert into inquiries (kind, name, email, subject, message, status, created_at)
    select 'contact', 'Visitor ' || n, 'visitor' || n || '@example.org', 'project', 'We would like to know what a system costs.',
      (case when n % 3 = 0 then 'new' else 'answered' end)::inquiry_status, now() - n * interval '1 hour'
    from ${of("inquiries")}`,
  (of) => `
    insert into audit_events (kind, actor_id, subject_id, details)
    select 'account.approved', ${id("person", "0")}, ${id("person", "n")}, '{"accountType":"user"}' from ${of("audit")}`,
];
